# edited
