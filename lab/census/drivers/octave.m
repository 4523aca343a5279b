% Octave's own distributions: see census.py.
[call, count, path, seed] = argv(){end - 3:end};
if (! isempty(seed))
  for draw = {@rand, @randn, @randp, @rande}
    draw{1}("twister", str2double(seed));
  endfor
endif
switch (call)
  case "normal"
    draw = @(n) round(randn(n, 1));
  case "poisson"
    draw = @(n) randp(5, n, 1) - randp(5, n, 1);
  case "geometric"
    draw = @(n) floor(rande(n, 1)) - floor(rande(n, 1));
endswitch
begin = cputime();
integers = draw(str2double(count));
printf("seconds %g\ntype %s\n", cputime() - begin, class(integers));
file = fopen(path, "w");
fprintf(file, "%d\n", integers);
fclose(file);
