import Foundation

/// The program that listens on a port, as far as this user may see it.
package struct PortOwner: Sendable, Hashable {
    package let process: Int32
    /// The name of the program, at most 15 bytes.
    package let program: String

    /// Whether the program is an Antena.
    package var isAntena: Bool { program == "antena" }

    /// Finds the program in `/proc`.
    ///
    /// - Returns: `nil` if it belongs to another user, or runs in another container.
    package static func find(port: Int) -> PortOwner? {
        let tables = ["/proc/self/net/tcp", "/proc/self/net/tcp6"].compactMap {
            try? String(contentsOfFile: $0, encoding: .utf8)
        }
        let sockets = Set(tables.flatMap { listeningInodes(port: port, table: $0) }.map { "socket:[\($0)]" })
        guard !sockets.isEmpty, let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc") else {
            return nil
        }
        for process in names.compactMap({ Int32($0) }) where holds(process, anyOf: sockets) {
            let name = (try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)) ?? ""
            return PortOwner(process: process, program: name.trimmingCharacters(in: .newlines))
        }
        return nil
    }

    /// The inodes of sockets that listen on a port.
    ///
    /// - Parameter table: lines of `/proc/net/tcp` or `tcp6` (proc(5)): the local address and port, the remote ones,
    ///   and the state, all in hexadecimal; the inode is the tenth field.
    static func listeningInodes(port: Int, table: String) -> [UInt64] {
        table.split(separator: "\n").dropFirst().compactMap { line in
            let fields = line.split(separator: " ")
            guard fields.count >= 10, fields[3] == listening,
                fields[1].split(separator: ":").last.flatMap({ Int($0, radix: 16) }) == port
            else { return nil }
            return UInt64(fields[9])
        }
    }

    /// `TCP_LISTEN` of the kernel's `tcp_states.h`.
    private static let listening = "0A"

    private static func holds(_ process: Int32, anyOf sockets: Set<String>) -> Bool {
        let folder = "/proc/\(process)/fd"
        guard let descriptors = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return false }
        return descriptors.contains { descriptor in
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(descriptor)")
            else { return false }
            return sockets.contains(target)
        }
    }
}
