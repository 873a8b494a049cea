import CLibSRT
import NIOCore

extension AntenaSRTFunctions {
    /// Time in seconds for which the end of a stream is still sent.
    private static let lingerSeconds: CInt = 2

    /// Sets an option.
    func set(_ option: SRT_SOCKOPT, _ value: some BitwiseCopyable, of socket: SRTSOCKET) -> Bool {
        withUnsafeBytes(of: value) {
            srt_setsockflag(socket, option, $0.baseAddress, CInt($0.count)) == 0
        }
    }

    /// Sets an option that is a text.
    func set(_ option: SRT_SOCKOPT, text: String, of socket: SRTSOCKET) -> Bool {
        Array(text.utf8).withUnsafeBytes {
            srt_setsockflag(socket, option, $0.baseAddress, CInt($0.count)) == 0
        }
    }

    /// Sets the options of a connection before it is made.
    ///
    /// - Returns: whether libsrt has taken all of them.
    func set(_ options: SRTOptions, of socket: SRTSOCKET) -> Bool {
        let latency = CInt(clamping: options.latency)
        var isSet =
            set(SRTO_TSBPDMODE, options.isSender, of: socket) && set(SRTO_RCVLATENCY, latency, of: socket)
            && set(SRTO_PEERLATENCY, latency, of: socket)
        // What a reader has not got when the channel ends is still sent.
        if options.isSender {
            let seconds = linger(l_onoff: 1, l_linger: Self.lingerSeconds)
            isSet = isSet && set(SRTO_LINGER, seconds, of: socket)
        }
        if let passphrase = options.passphrase {
            isSet = isSet && set(SRTO_PASSPHRASE, text: passphrase, of: socket)
        }
        return isSet
    }

    /// The last error of the calling thread.
    var failure: SRTFailure {
        SRTFailure(srt_getlasterror_str().map { String(cString: $0) } ?? "libsrt does not say why")
    }

    /// Makes a socket that never waits.
    func makeSocket() throws(SRTFailure) -> SRTSOCKET {
        let socket = srt_create_socket()
        guard socket != SRT_INVALID_SOCK else { throw failure }
        guard set(SRTO_SNDSYN, false, of: socket), set(SRTO_RCVSYN, false, of: socket) else {
            let failure = failure
            _ = srt_close(socket)
            throw failure
        }
        return socket
    }

    /// The address at which a socket is bound.
    func address(of socket: SRTSOCKET) -> SocketAddress? {
        SocketAddress.read { address, size in
            var length = CInt(size)
            return srt_getsockname(socket, address, &length)
        }
    }

    /// The streamid of a connection.
    func streamID(of socket: SRTSOCKET) -> String {
        var bytes = [UInt8](repeating: 0, count: SRTOptions.maximumStreamIDByteCount + 1)
        var length = CInt(bytes.count)
        let isRead = bytes.withUnsafeMutableBytes {
            srt_getsockflag(socket, SRTO_STREAMID, $0.baseAddress, &length) == 0
        }
        guard isRead, length > 0, Int(length) <= bytes.count else { return "" }
        return String(decoding: bytes.prefix(Int(length)), as: UTF8.self)
    }
}

extension SocketAddress {
    /// - Returns: `nil` for a family that is neither IPv4 nor IPv6.
    init?(_ address: UnsafePointer<sockaddr>) {
        let length = antena_srt_address_length(address)
        let raw = UnsafeRawPointer(address)
        switch CInt(address.pointee.sa_family) {
        case AF_INET where length > 0: self.init(raw.loadUnaligned(as: sockaddr_in.self))
        case AF_INET6 where length > 0: self.init(raw.loadUnaligned(as: sockaddr_in6.self))
        default: return nil
        }
    }

    /// The address of this machine from which datagrams to this one would be sent; `nil` if there is no way to it.
    ///
    /// Connecting a datagram socket sends nothing, and does not wait.
    var sourceAddress: String? {
        let family = self.protocol == .inet6 ? AF_INET6 : AF_INET
        let descriptor = socket(family, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard withSockAddr({ connect(descriptor, $0, socklen_t($1)) }) == 0 else { return nil }
        let address = Self.read { address, size in
            var length = socklen_t(size)
            return getsockname(descriptor, address, &length)
        }
        return address?.ipAddress
    }

    /// The address that a function writes into memory of that size; `nil` if it returns anything but zero.
    fileprivate static func read(_ body: (UnsafeMutablePointer<sockaddr>, Int) -> CInt) -> SocketAddress? {
        var storage = sockaddr_storage()
        return withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                body(address, MemoryLayout<sockaddr_storage>.size) == 0 ? SocketAddress(address) : nil
            }
        }
    }

    /// Whether it stands for all addresses of the machine.
    var isWildcard: Bool { ["0.0.0.0", "::"].contains(ipAddress ?? "") }
}
