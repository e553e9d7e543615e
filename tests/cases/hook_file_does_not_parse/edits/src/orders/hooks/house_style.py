class HouseStyle(:
