import CLibAV
import Glibc

/// A kind of device that encodes in place of the processor, by the interface that its driver has.
package enum HardwareDevice: Sendable, Hashable {
    /// Intel's and AMD's, by a render node of the kernel's.
    case vaapi
    /// NVIDIA's.
    case cuda

    /// Why it cannot be used, for people; `nil` where nothing is known that speaks against it.
    package var absence: String? {
        let nodes = nodes
        guard let first = nodes.first else {
            return "\(exampleNode) does not exist: this machine has no such device, or no driver for it"
        }
        guard nodes.contains(where: { access($0, R_OK | W_OK) == 0 }) else {
            return """
                \(first) may not be opened: give this program's user the right to read and write it, mostly by way of the \
                group "render" or "video"
                """
        }
        return nil
    }

    /// That programs open, in order.
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

    /// What its driver has to be let open beside the file that is read: nothing else needs these.
    ///
    /// For VAAPI what libdrm, libva and Mesa or Intel's driver look for. For CUDA what others have found who confine
    /// programs with Landlock (NVIDIA/OpenShell#710, nolabs-ai/nono#673): driver 570 names its threads, and takes it for
    /// an error of the system where it may not.
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

/// Files and folders beside those that every worker is given.
package struct FileConfinement: Sendable, Hashable {
    package var readable: [String]
    package var writable: [String]

    package init(readable: [String] = [], writable: [String] = []) {
        self.readable = readable
        self.writable = writable
    }
}
