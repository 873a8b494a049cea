import LibAV

/// Checks that the kernel can confine the workers, which open untrusted files.
struct ConfinementCheck: DoctorCheck {
    let name = "confinement"
    /// The protections that the kernel lacks.
    let missing: [String]

    var finding: DoctorFinding {
        guard !missing.isEmpty else { return .ok("workers are confined by Landlock and seccomp") }
        return .warning(
            "workers, which open untrusted files, are not fully confined: the kernel lacks "
                + missing.joined(separator: " and "),
            remedy:
                "use Linux 5.13 or newer with landlock in /sys/kernel/security/lsm, and let the container use both"
        )
    }

    /// Asks the kernel.
    static func examine() -> ConfinementCheck { ConfinementCheck(missing: LibAVRuntime.missingConfinement) }
}
