.text
.globl low
.type low,@function
low: leal 1(%rdi), %eax
ret
.size low,.-low
.section .note.GNU-stack,"",@progbits
