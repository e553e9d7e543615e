"""What interceptors.yaml says of each interceptor."""
