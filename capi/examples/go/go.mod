module example.org/samplez-go

go 1.19
