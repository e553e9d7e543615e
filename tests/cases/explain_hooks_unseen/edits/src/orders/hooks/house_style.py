HouseStyle = type("HouseStyle", (), {})
