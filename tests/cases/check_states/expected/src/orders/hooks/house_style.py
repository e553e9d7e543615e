# mine now
