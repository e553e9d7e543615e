"""`service/app.py` and `settings.py`, and what starts them."""

from interceptgen.files import Owner, SourceFile
from interceptgen.render.executor import import_as
from interceptgen.render.syntax import docstring, expression, fill, string
from interceptgen.service import EnvironmentVariable, Service

__all__ = ["render_app", "render_entry", "render_runner", "render_settings"]

_HEAD = """\
{doc}

from collections.abc import Callable, Sequence
from functools import partial

from starlette.applications import Starlette

"""

_LOCAL_IMPORTS = """\

from .boundary.runner_provider import RunnerFactory
from .executor import build_executor, build_interceptors
from .serving.application import (
    Definition,
    Lifespan,
    build_application,
    mount_application,
)
from .serving.card import RootAgent
from .serving.environment import load_settings
from .serving.server import serve
"""

_APP = '''
__all__ = ["app", "create_app", "main", "mount"]


def create_app(
    settings: Callable[[], Settings] | None = None,
    *,
    agent: RootAgent = root_agent,
    runner_factory: RunnerFactory = build_runner,
    lifespan: Lifespan | None = {lifespan},
    prefix: str = "",
) -> Starlette:
    """Make the application; nothing is read, built or opened before its lifespan.

    Args:
        settings: Gives what the environment may set; read from it by default.
        agent: What the card describes.
        runner_factory: Gives the runner, sync or async.
        lifespan: What else lives as long as the application.
        prefix: Where another application mounts this one.
    """
    return build_application(
        Definition(
            description={description},
            agent=agent,
            runner_factory=runner_factory,
            eager={eager},
            interceptors=build_interceptors,
            executor=build_executor,
            settings=settings or partial(load_settings, Settings),
            path={path},
            prefix=prefix,
            lifespan=lifespan,
        )
    )


def mount(parent: Starlette, prefix: str) -> None:
    """Serve the agent under a prefix of another Starlette or FastAPI application."""
    mount_application(parent, prefix, create_app(prefix=prefix))


def main(argv: Sequence[str] | None = None) -> None:
    """Serve from the command line."""
    {serve}


app = create_app()
'''

_SERVE = "serve(create_app, Settings, argv)"
_SERVE_WITH_NEEDS = "serve(create_app, Settings, argv, needs=InterceptorSettings)"

_SETTINGS = '''\
"""What the environment may set; all else stands in interceptors.yaml."""

{imports}from .serving.environment import ServerSettings

__all__ = {names}


class Settings(ServerSettings):
    """Where the service listens, from variables that start with {prefix}."""

    model_config = SettingsConfigDict(env_prefix={prefix_literal})

    host: str = {host}
    port: int = Field(default={port}, ge=1, le=65535)
    public_url: str | None = {public_url}
'''

_INTERCEPTOR_SETTINGS = '''

class InterceptorSettings(BaseSettings):
    """What only the environment gives to the interceptors."""

'''

_ENTRY = '''\
"""Serves the agent: `python -m {package}`."""

from {package}.service.app import main

if __name__ == "__main__":
    main()
'''

_RUNNER = '''\
"""The runner: how the agent runs, and where its sessions live."""

from google.adk.runners import Runner

{imports}

def {function}() -> Runner:
    """Build the runner; its sessions live in this process and end with it."""
    return in_memory_runner(root_agent, app_name={name})
'''


def render_app(service: Service) -> SourceFile:
    """Emit the application."""
    package = service.package
    lifespan = "user_lifespan" if service.lifespan else "None"
    references = [
        import_as(service.agent, "root_agent"),
        import_as(service.runner_factory, "build_runner"),
    ]
    if service.lifespan:
        references.append(import_as(service.lifespan, "user_lifespan"))
    settings = "InterceptorSettings, Settings" if service.variables else "Settings"
    doc = f"The application: `uvicorn {package}.service.app:app`."
    pieces = [
        fill(_HEAD, doc=docstring(doc, summary="The application.")),
        *sorted(references, key=lambda line: line.split()[1]),
        _LOCAL_IMPORTS,
        f"from .settings import {settings}\n",
        fill(
            _APP,
            lifespan=expression(lifespan),
            description=string(service.description),
            eager=expression(str(service.eager)),
            path=string(service.path),
            serve=expression(_SERVE_WITH_NEEDS if service.variables else _SERVE),
        ),
    ]
    return _tool(f"src/{package}/service/app.py", "".join(pieces))


def render_settings(service: Service) -> SourceFile:
    """Emit the settings."""
    names = ["Settings"]
    imports = "from pydantic import Field\n"
    pydantic_settings = ["SettingsConfigDict"]
    if service.variables:
        names = ["InterceptorSettings", "Settings"]
        pydantic_settings = ["BaseSettings", "SettingsConfigDict"]
        if any(each.annotation == "str" for each in service.variables):
            imports = "from pydantic import Field, SecretStr\n"
    imports += f"from pydantic_settings import {', '.join(pydantic_settings)}\n\n"
    prefix = service.environment_prefix
    text = fill(
        _SETTINGS.replace("{imports}", imports)
        .replace("{names}", repr(names))
        .replace("{prefix}", prefix),
        prefix_literal=string(prefix),
        host=string(service.host),
        port=expression(str(service.port)),
        public_url=expression(repr(service.public_url)),
    )
    if service.variables:
        text += _INTERCEPTOR_SETTINGS + "".join(map(_variable, service.variables))
    return _tool(f"src/{service.package}/service/settings.py", text)


def _variable(variable: EnvironmentVariable) -> str:
    annotation = "SecretStr" if variable.annotation == "str" else variable.annotation
    alias = f"Field(validation_alias={variable.name!r})"
    return f"    {variable.field}: {annotation} = {alias}\n"


def render_entry(service: Service) -> SourceFile:
    """Emit `__main__.py`."""
    text = _ENTRY.replace("{package}", service.package)
    return _tool(f"src/{service.package}/__main__.py", text)


def render_runner(service: Service) -> SourceFile | None:
    """Emit a first runner factory, where the spec names one in the package."""
    module, function = service.runner_factory.module, service.runner_factory.attribute
    package, _, name = module.partition(".")
    if package != service.package or not name or "." in name:
        return None
    imports = [
        import_as(service.agent, "root_agent"),
        f"from {package}.service.serving.in_memory import in_memory_runner\n",
    ]
    imports.sort(key=lambda line: line.split()[1])
    text = fill(
        _RUNNER.replace("{imports}", "".join(imports)),
        function=expression(function),
        name=string(package),
    )
    path = f"src/{package}/{name}.py"
    return SourceFile(path=path, text=text, owner=Owner.SEEDED, item="runner")


def _tool(path: str, text: str) -> SourceFile:
    return SourceFile(path=path, text=text, owner=Owner.TOOL, item="service")
