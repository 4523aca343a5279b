//! Stages of a netlist between banks of registers.

use super::netlist::Netlist;
use alloc::vec;
use alloc::vec::Vec;

/// The gates of a netlist in stages. A bank of registers follows each, so that a new input may come with every clock.
pub(super) struct Stages {
    pub(super) count: u32,
    /// The stage of each wire; an input is there in stage 0.
    pub(super) of: Vec<u32>,
    /// The last stage that reads each wire; `count`, behind the last bank, reads the outputs.
    pub(super) until: Vec<u32>,
}

impl Stages {
    /// Gates in `count` stages, of about as many gates one after the other. Each gate is in the earliest stage, or each in the latest, for the
    /// fewest registers.
    pub(super) fn new(netlist: &Netlist, count: u32) -> Stages {
        let inputs = netlist.inputs() as usize;
        let mut early = vec![0_u32; inputs];
        for gate in netlist.gates() {
            let [a, b] = gate.operands().map(|wire| early[wire as usize]);
            early.push(a.max(b) + 1);
        }
        let depth = early.iter().copied().max().unwrap_or(0);
        let mut late = vec![depth; early.len()];
        for (i, gate) in netlist.gates().iter().enumerate().rev() {
            for wire in gate.operands() {
                late[wire as usize] = late[wire as usize].min(late[inputs + i] - 1);
            }
        }
        let [early, late] = [early, late].map(|levels| {
            // Levels 1 to depth; inputs have a level below each of their readers, and come in stage 0.
            let stage =
                |level: &u32| (u64::from(level.saturating_sub(1)) * u64::from(count) / u64::from(depth.max(1))) as u32;
            let of = (0..).zip(&levels).map(|(i, level)| if i < inputs { 0 } else { stage(level) }).collect();
            Stages::read(netlist, count, of)
        });
        if late.registers() < early.registers() { late } else { early }
    }

    fn read(netlist: &Netlist, count: u32, of: Vec<u32>) -> Stages {
        let mut until = of.clone();
        for (i, gate) in netlist.gates().iter().enumerate() {
            for wire in gate.operands() {
                until[wire as usize] = until[wire as usize].max(of[netlist.inputs() as usize + i]);
            }
        }
        netlist.outputs().iter().for_each(|output| until[*output as usize] = count);
        Stages { count, of, until }
    }

    /// The registers of all banks.
    pub(super) fn registers(&self) -> u32 {
        self.of.iter().zip(&self.until).map(|(of, until)| until - of).sum()
    }

    /// The most gates one after the other between two banks.
    pub(super) fn depth(&self, netlist: &Netlist) -> u32 {
        let mut depths = vec![0; netlist.inputs() as usize];
        for gate in netlist.gates() {
            let stage = self.of[depths.len()];
            let before = gate.operands().map(|wire| match self.of[wire as usize] == stage {
                true => depths[wire as usize],
                false => 0,
            });
            depths.push(before[0].max(before[1]) + 1);
        }
        depths.into_iter().max().unwrap_or(0)
    }
}
