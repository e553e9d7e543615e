"""The ready-made interceptors: what each is called, takes, needs and promises."""

from interceptgen.recipes.chain import Chain, Use
from interceptgen.recipes.recipe import Recipe, Seam, Variant
from interceptgen.recipes.registry import RECIPES
from interceptgen.recipes.settings import Settings

__all__ = ["RECIPES", "Chain", "Recipe", "Seam", "Settings", "Use", "Variant"]
