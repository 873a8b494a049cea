import Glibc

/// A kind of hardware encoder, named after its driver interface.
package enum HardwareDevice: Sendable, Hashable {
    /// VAAPI, for Intel and AMD devices, through a render node of the kernel.
    case vaapi
    /// CUDA (NVENC), for NVIDIA devices.
    case cuda

    /// A human-readable reason why the device cannot be used; `nil` if no obstacle is known.
    package var absence: String? {
        let nodes = nodes
        guard let first = nodes.first else {
            return "\(exampleNode) does not exist: this machine has no such device, or no driver for it"
        }
        guard nodes.contains(where: { access($0, R_OK | W_OK) == 0 }) else {
            return """
                \(first) cannot be opened: give this program's user read and write access to it, usually through the \
                group "render" or "video"
                """
        }
        return nil
    }

    /// The device nodes that programs open, in order of preference.
    var nodes: [String] {
        switch self {
        case .vaapi: Self.files("/dev/dri/renderD*")
        case .cuda: Self.files("/dev/nvidia[0-9]*")
        }
    }

    private var exampleNode: String {
        switch self {
        case .vaapi: "/dev/dri/renderD128"
        case .cuda: "/dev/nvidia0"
        }
    }

    /// The files and folders that the driver has to open in addition to the file that is read; nothing else needs
    /// these.
    ///
    /// For VAAPI these are what libdrm, libva and the Mesa or Intel driver look for. For CUDA they are what others
    /// found who confine programs with Landlock (NVIDIA/OpenShell#710, nolabs-ai/nono#673): driver 570 names its
    /// threads, and reports a system error if it may not.
    package var confinement: FileConfinement {
        let libraries = ["/usr/lib", "/usr/lib64", "/lib", "/lib64", "/usr/local/lib", "/etc/ld.so.cache"]
        let hardware = ["/sys/devices", "/sys/dev/char", "/sys/bus/pci"]
        switch self {
        case .vaapi:
            return FileConfinement(
                readable: libraries + hardware + [
                    "/sys/class/drm", "/usr/share/drirc.d", "/etc/drirc", "/usr/share/libdrm",
                ],
                writable: nodes)
        case .cuda:
            return FileConfinement(
                readable: libraries + hardware + [
                    "/proc/driver/nvidia", "/proc/driver/nvidia-uvm", "/proc/self", "/proc/devices", "/proc/modules",
                    "/proc/meminfo", "/proc/cpuinfo", "/proc/sys/vm", "/dev/urandom", "/usr/share/nvidia",
                ],
                writable: nodes + [
                    "/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia-uvm-tools", "/dev/nvidia-caps", "/dev/null",
                    "/proc/self/task",
                ])
        }
    }

    private static func files(_ pattern: String) -> [String] {
        var found = glob_t()
        defer { globfree(&found) }
        guard glob(pattern, 0, nil, &found) == 0 else { return [] }
        return (0..<Int(found.gl_pathc)).compactMap { found.gl_pathv[$0].map { String(cString: $0) } }
    }
}
