import Glibc

/// Free ports for clients that announce their ports before they bind them.
enum UDPPorts {
    struct NoneFree: Error {}

    /// The first of `count` consecutive free ports; even, as RTP requires.
    static func freeRange(count: Int) throws -> Int {
        for first in stride(from: 41_000, to: 60_000, by: 2 * count) {
            if (first..<(first + count)).allSatisfy(isFree) { return first }
        }
        throw NoneFree()
    }

    private static func isFree(_ port: Int) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
