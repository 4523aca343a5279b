"""Emulated processors: how code is compiled for them, and the path that a call takes on them."""

import hashlib
import struct
from dataclasses import dataclass
from types import ModuleType

import unicorn
from elftools.elf.elffile import ELFFile
from unicorn import arm64_const, arm_const, mips_const, ppc_const, riscv_const, s390x_const, x86_const

CODE, DATA, OUT, STACK, STOP, SIZE = 0x10000, 0x200000, 0x240000, 0x380000, 0x3F0000, 0x400000
# All of a program, from CODE on.
LAYOUT = f"""SECTIONS {{ . = {CODE:#x};
.all : {{ *(.text* .rodata* .srodata* .sdata2* .data* .sdata* .got* .plt* .toc* .bss* .sbss* COMMON) }}
/DISCARD/ : {{ *(.ARM.exidx* .ARM.extab* .eh_frame* .MIPS* .reginfo .pdr .gnu.attributes .comment .note*) }} }}
"""


@dataclass(frozen=True)
class Machine:
    """A processor: clang's options, gcc's command, Rust's target, and how an emulator calls a function of C."""

    name: str
    clang: str
    gcc: str
    rust: str
    machine: tuple[int, int, int | None]
    arguments: tuple[int, int]
    result: int
    stack: int
    link: int | None
    thumb: int = 0


def _at(constants: ModuleType, names: str) -> list[int]:
    prefix = constants.__name__.rsplit(".", 1)[-1].removesuffix("_const").upper()
    return [getattr(constants, f"UC_{prefix}_REG_{name}") for name in names.split()]


def _machine(name: str, clang: str, gcc: str, rust: str, machine: tuple[int, int, int | None], registers: list[int], thumb: int = 0) -> Machine:
    first, second, result, stack, *link = registers
    return Machine(name, clang, gcc, rust, machine, (first, second), result, stack, link[0] if link else None, thumb)


_ARM = _at(arm_const, "R0 R1 R0 SP LR")
_RISCV = _at(riscv_const, "A0 A1 A0 SP RA")
_M = unicorn.UC_MODE_THUMB | unicorn.UC_MODE_MCLASS
_BIG = unicorn.UC_MODE_BIG_ENDIAN


def _thumb(name: str, model: int, rust: str) -> Machine:
    clang, gcc = f"thumb-freestanding-eabi -mcpu={name.replace('-', '_')}", f"arm-none-eabi-gcc -mthumb -mcpu={name}"
    return _machine(name, clang, gcc, rust, (unicorn.UC_ARCH_ARM, _M, model), _ARM, 1)


MACHINES = [
    _thumb("cortex-m0", arm_const.UC_CPU_ARM_CORTEX_M0, "thumbv6m-none-eabi"),
    _thumb("cortex-m23", arm_const.UC_CPU_ARM_CORTEX_M33, "thumbv8m.base-none-eabi"),
    _thumb("cortex-m4", arm_const.UC_CPU_ARM_CORTEX_M4, "thumbv7em-none-eabi"),
    _machine("armv7-a", "arm-freestanding-eabi -mcpu=cortex_a7", "arm-none-eabi-gcc -marm -mcpu=cortex-a7 -mfloat-abi=soft",
             "armv7a-none-eabi", (unicorn.UC_ARCH_ARM, unicorn.UC_MODE_ARM, arm_const.UC_CPU_ARM_CORTEX_A7), _ARM),
    _machine("aarch64", "aarch64-freestanding-none", "aarch64-linux-gnu-gcc -fno-pic", "aarch64-unknown-none-softfloat",
             (unicorn.UC_ARCH_ARM64, unicorn.UC_MODE_ARM, None), _at(arm64_const, "X0 X1 X0 SP X30")),
    _machine("riscv32", "riscv32-freestanding-none -mcpu=generic_rv32+m+a+c", "riscv64-unknown-elf-gcc -march=rv32imac -mabi=ilp32",
             "riscv32imac-unknown-none-elf", (unicorn.UC_ARCH_RISCV, unicorn.UC_MODE_RISCV32, None), _RISCV),
    _machine("riscv64", "riscv64-freestanding-none -mcpu=generic_rv64+m+a+c",
             "riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -mcmodel=medany", "riscv64imac-unknown-none-elf",
             (unicorn.UC_ARCH_RISCV, unicorn.UC_MODE_RISCV64, None), _RISCV),
    _machine("powerpc", "powerpc-freestanding-none", "powerpc-linux-gnu-gcc -fno-pic", "powerpc-unknown-linux-gnu",
             (unicorn.UC_ARCH_PPC, unicorn.UC_MODE_PPC32 | _BIG, None), _at(ppc_const, "3 4 3 1 LR")),
    _machine("mips", "mips-freestanding-none -fno-pic -mno-abicalls",
             "mips-linux-gnu-gcc -fno-pic -mno-abicalls -mabi=32 -march=mips32r2 -mfp32", "",
             (unicorn.UC_ARCH_MIPS, unicorn.UC_MODE_MIPS32 | _BIG, None), _at(mips_const, "A0 A1 V0 SP RA")),
    # Without gcc, which saves registers by `ldgr`: unicorn 2.1.4 stops there. Under qemu its objects draw the right samples.
    _machine("s390x", "s390x-freestanding-none", "", "",
             (unicorn.UC_ARCH_S390X, _BIG, None), _at(s390x_const, "R2 R3 R2 R15 R14")),
    _machine("x86-64", "x86_64-freestanding-none", "cc -m64 -fno-pic -mno-sse", "x86_64-unknown-none",
             (unicorn.UC_ARCH_X86, unicorn.UC_MODE_64, None), _at(x86_const, "RDI RSI RAX RSP")),
]


class Program:
    """A linked program in a processor's memory."""

    def __init__(self, machine: Machine, path: str) -> None:
        self.machine = machine
        arch, mode, model = machine.machine
        self.cpu = unicorn.Uc(arch, mode)
        if model is not None:
            self.cpu.ctl_set_cpu_model(model)
        self.cpu.mem_map(0, SIZE)
        with open(path, "rb") as file:
            elf = ELFFile(file)
            for part in elf.iter_segments():
                if part["p_type"] == "PT_LOAD" and part["p_filesz"]:
                    self.cpu.mem_write(part["p_vaddr"], part.data())
            self.symbols = {symbol.name: symbol["st_value"] for symbol in elf.get_section_by_name(".symtab").iter_symbols()}
        self.cpu.hook_add(unicorn.UC_HOOK_BLOCK, self._block)
        self.cpu.hook_add(unicorn.UC_HOOK_MEM_READ | unicorn.UC_HOOK_MEM_WRITE, self._access)

    def _block(self, _cpu: object, address: int, _size: int, _data: object) -> None:
        self.trace.append(address)

    def _access(self, _cpu: object, _kind: int, address: int, _size: int, _value: int, _data: object) -> None:
        self.trace.append(~address)

    def call(self, function: str, words: bytes) -> tuple[bytes, int, bytes]:
        """Calls a function of the address of `words` and of a place for results.

        Returns a hash of the blocks of instructions executed and of the addresses read and written, in order; the function's value; and
        the place. Equal paths have equal counts of instructions.
        """
        machine, cpu = self.machine, self.cpu
        self.trace: list[int] = []
        cpu.mem_write(DATA, words)
        cpu.mem_write(OUT, bytes(4096))
        for register, value in zip(machine.arguments, (DATA, OUT)):
            cpu.reg_write(register, value)
        cpu.reg_write(machine.stack, STACK)
        if machine.link is None:
            cpu.mem_write(STACK, struct.pack("<Q", STOP))
        else:
            cpu.reg_write(machine.link, STOP | machine.thumb)
        cpu.emu_start(self.symbols[function] | machine.thumb, STOP)
        path = hashlib.sha256(struct.pack(f"<{len(self.trace)}q", *self.trace)).digest()
        return path, cpu.reg_read(machine.result) & 0xFFFFFFFF, bytes(cpu.mem_read(OUT, 4096))
