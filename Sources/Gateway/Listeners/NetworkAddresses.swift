#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The addresses at which other machines may reach this one.
enum NetworkAddresses {
    /// The addresses of the network interfaces that are up, without loopback and link-local ones; IPv4 first.
    static func current() -> [String] { reachable(interfaceAddresses()) }

    /// Keeps the addresses that mean the same on other machines, each once; IPv4 first, otherwise in the given order.
    static func reachable(_ addresses: [String]) -> [String] {
        var known: Set<String> = []
        let kept = addresses.filter { !isLocal($0) && known.insert($0).inserted }
        return kept.filter { !$0.contains(":") } + kept.filter { $0.contains(":") }
    }

    /// Whether a host is a loopback or link-local address, or a name of this machine for itself.
    static func isLocal(_ host: String) -> Bool {
        let host = host.lowercased()
        if host == "localhost" || host == "::1" { return true }
        if !host.contains(":") { return host.hasPrefix("127.") || host.hasPrefix("169.254.") }
        // RFC 4291 §2.5.6: fe80::/10.
        guard let group = host.split(separator: ":").first, group.count == 4 else { return false }
        return group.hasPrefix("fe8") || group.hasPrefix("fe9") || group.hasPrefix("fea") || group.hasPrefix("feb")
    }

    private static func interfaceAddresses() -> [String] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var addresses: [String] = []
        var next = first
        while let interface = next?.pointee {
            next = interface.ifa_next
            // An interface without a cable or a container is up and does not run.
            let isRunning = interface.ifa_flags & UInt32(IFF_RUNNING) != 0 && interface.ifa_flags & UInt32(IFF_UP) != 0
            guard isRunning, let address = interface.ifa_addr, let text = numericHost(address) else { continue }
            addresses.append(text)
        }
        return addresses
    }

    private static func numericHost(_ address: UnsafeMutablePointer<sockaddr>) -> String? {
        let length: Int
        switch Int32(address.pointee.sa_family) {
        case AF_INET: length = MemoryLayout<sockaddr_in>.size
        case AF_INET6: length = MemoryLayout<sockaddr_in6>.size
        default: return nil
        }
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        guard getnameinfo(address, socklen_t(length), &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0 else {
            return nil
        }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
