# R's readers and writers: READER IN OUT.
given <- commandArgs(TRUE)
size <- if (startsWith(given[2], "wide")) 8L else 1L
switch(given[1],
  read.csv = write.csv(read.csv(given[2]), given[3], row.names = FALSE, quote = FALSE),
  scan = write.csv(data.frame(x = scan(given[2], what = "", skip = 1, quiet = TRUE)), given[3], row.names = FALSE, quote = FALSE),
  data.table = data.table::fwrite(data.table::fread(given[2], integer64 = "integer64"), given[3]),
  readBin = writeBin(readBin(given[2], "integer", 20000, size = size, endian = "little"), given[3], size = size, endian = "little")
)
