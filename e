timeout: failed to run command ‘./t.free’: No such file or directory
