% Octave's readers and writers: READER IN OUT.
[reader, from, to] = argv(){end - 2:end};
kind = {"int8", "int64"}{1 + strncmp(from, "wide", 4)};
if (strcmp(reader, "fread"))
  file = fopen(from);
  integers = fread(file, Inf, ["*" kind]);
  fclose(file);
  file = fopen(to, "w");
  fwrite(file, integers, kind);
else
  if (strcmp(reader, "dlmread"))
    integers = dlmread(from, ",", 1, 0);
  else
    file = fopen(from);
    integers = textscan(file, "%d64", "HeaderLines", 1){1};
    fclose(file);
  endif
  file = fopen(to, "w");
  fprintf(file, "x\n");
  fprintf(file, "%d\n", integers);
endif
fclose(file);
