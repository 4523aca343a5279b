# $dist_normal and $dist_poisson of Icarus Verilog, or of Verilator with VERILATOR=1: see census.py. The arguments are written into the module.
cat > driver.v <<V
module driver;
  integer seed, i, x, out;
  initial begin
    seed = ${4:-1};
    out = \$fopen("$3", "w");
    for (i = 0; i < $2; i = i + 1) begin
      x = "$1" == "normal" ? \$dist_normal(seed, 0, 10) : \$dist_poisson(seed, 5) - \$dist_poisson(seed, 5);
      \$fdisplay(out, "%0d", x);
    end
    \$finish;
  end
endmodule
V
if [ "$VERILATOR" ]; then
    verilator --binary -Wno-fatal driver.v >log 2>&1 && obj_dir/Vdriver && echo "type integer"
else
    iverilog -o driver driver.v && vvp -n driver && echo "type integer"
fi
