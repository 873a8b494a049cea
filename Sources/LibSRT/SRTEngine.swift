import CLibSRT
import Foundation
package import NIOCore
import Synchronization

/// The SRT connections of a server. One thread waits for all of them; libsrt adds one that collects what is closed, and
/// two for each port, whatever the number of connections.
package final class SRTEngine: Sendable {
    /// Limit on connections: each may keep 12 MB in libsrt while its sender is fast and its line is bad.
    package static let maximumConnectionCount = 512
    /// Connections whose handshake is over and that were not taken yet.
    private static let backlog: CInt = 128
    /// Time after which the thread looks for closed and late things, in milliseconds.
    private static let idleInterval: Int64 = 40
    private static let gapInterval: Int64 = 5
    private static let eventCount = 256

    private struct State {
        var listeners: [SRTSOCKET: SRTListener] = [:]
        var connections: [SRTSOCKET: SRTConnection] = [:]
        /// Callers whose connection is being made.
        var opening: [SRTSOCKET: @Sendable (SRTConnection) -> Void] = [:]
        var closing: [SRTSOCKET] = []
        /// The addresses to which callers are bound, so that they share a port: by family.
        var callers: [String: SocketAddress] = [:]
        var isClosed = false
    }

    private let functions: AntenaSRTFunctions
    private let poll: CInt
    private let state = Mutex(State())
    private let ended = DispatchSemaphore(value: 0)

    /// Loads libsrt and starts.
    ///
    /// - Throws: ``SRTFailure`` if libsrt is missing.
    package init() throws(SRTFailure) {
        var message = [CChar](repeating: 0, count: Int(ANTENA_SRT_MESSAGE_CAPACITY))
        guard antena_srt_load(&message, message.count) == 0, let table = antena_srt_functions() else {
            throw SRTFailure(
                String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
        }
        functions = table.pointee
        guard functions.srt_startup() >= 0 else { throw functions.failure }
        poll = functions.srt_epoll_create()
        guard poll >= 0 else { throw functions.failure }
        _ = functions.srt_epoll_set(poll, CInt(SRT_EPOLL_ENABLE_EMPTY.rawValue))
        let thread = Thread { [self] in
            SRTPolling(engine: self, functions: functions, poll: poll).run()
            ended.signal()
        }
        thread.name = "srt-poll"
        thread.start()
    }

    /// Ends all connections, and waits for the thread.
    package func close() {
        let connections = state.withLock { state in
            state.isClosed = true
            return Array(state.connections.values)
        }
        for connection in connections { connection.ended("the server is shutting down") }
        ended.wait()
        _ = functions.srt_epoll_release(poll)
        _ = functions.srt_cleanup()
    }

    package var connectionCount: Int { state.withLock { $0.connections.count } }

    // MARK: Listening

    /// Listens at an address.
    ///
    /// - Parameters:
    ///   - address: the address; port 0 chooses a free one.
    ///   - decide: decides about a connection before it is made. Called on a thread of libsrt, so it must not wait.
    ///   - onConnection: takes a connection, on the engine's thread. It must follow it there.
    /// - Throws: ``SRTFailure``
    package func listen(
        at address: SocketAddress, decide: @escaping @Sendable (SRTListener.Request) -> SRTListener.Answer,
        onConnection: @escaping @Sendable (SRTConnection) -> Void
    ) throws(SRTFailure) -> SRTListener {
        let socket = try functions.makeSocket()
        do {
            // What a reader needs is set when one asks.
            guard functions.set(SRTO_TSBPDMODE, false, of: socket) else { throw functions.failure }
            try bind(socket, address)
            let listener = SRTListener(
                socket, address: functions.address(of: socket) ?? address, functions: functions,
                decide: { [weak self] request in
                    guard let self, connectionCount < Self.maximumConnectionCount else { return .refused(.overload) }
                    return decide(request)
                }, onConnection: onConnection)
            let opaque = Unmanaged.passUnretained(listener).toOpaque()
            let answer:
                @convention(c) (
                    UnsafeMutableRawPointer?, SRTSOCKET, CInt, UnsafePointer<sockaddr>?, UnsafePointer<CChar>?
                ) -> CInt = { opaque, socket, _, peer, streamID in
                    guard let opaque else { return -1 }
                    let listener = Unmanaged<SRTListener>.fromOpaque(opaque).takeUnretainedValue()
                    let request = SRTListener.Request(
                        streamID: streamID.map { String(cString: $0) } ?? "", peer: peer.flatMap { SocketAddress($0) })
                    return listener.answer(socket, request)
                }
            guard functions.srt_listen_callback(socket, answer, opaque) == 0 else { throw functions.failure }
            // The listener is kept until its socket is closed, because libsrt calls it.
            state.withLock { $0.listeners[socket] = listener }
            guard functions.srt_listen(socket, Self.backlog) == 0 else { throw functions.failure }
            watch(socket, [SRT_EPOLL_IN, SRT_EPOLL_ERR])
            return listener
        } catch {
            state.withLock { _ = $0.listeners.removeValue(forKey: socket) }
            _ = functions.srt_close(socket)
            throw error as? SRTFailure ?? functions.failure
        }
    }

    private func bind(_ socket: SRTSOCKET, _ address: SocketAddress) throws(SRTFailure) {
        if address.protocol == .inet6 { _ = functions.set(SRTO_IPV6ONLY, CInt(1), of: socket) }
        let result = address.withSockAddr { functions.srt_bind(socket, $0, CInt($1)) }
        guard result == 0 else { throw functions.failure }
    }

    // MARK: Calling

    /// Connects to a listener.
    ///
    /// - Parameters:
    ///   - address: the address of the listener.
    ///   - options: options of the connection.
    ///   - onOpen: takes the connection when it is made, on the engine's thread. It must follow it there.
    ///   - onFailure: called with a reason if it is not made, on the engine's thread.
    /// - Returns: the attempt; closing it ends it.
    /// - Throws: ``SRTFailure``
    package func connect(
        to address: SocketAddress, _ options: SRTOptions, onOpen: @escaping @Sendable (SRTConnection) -> Void,
        onFailure: @escaping @Sendable (String) -> Void
    ) throws(SRTFailure) -> SRTConnection {
        guard connectionCount < Self.maximumConnectionCount else { throw SRTFailure("there are too many connections") }
        let socket = try functions.makeSocket()
        do {
            guard functions.set(options, of: socket) else { throw functions.failure }
            if options.passphrase != nil {
                guard functions.set(SRTO_PBKEYLEN, CInt(options.keyByteCount), of: socket) else {
                    throw functions.failure
                }
            }
            if let streamID = options.streamID {
                guard functions.set(SRTO_STREAMID, text: streamID, of: socket) else { throw functions.failure }
            }
            try share(socket, address)
            let connection = SRTConnection(
                socket, streamID: options.streamID ?? "", peer: address, isSender: options.isSender,
                functions: functions
            ) { [weak self] in self?.discard($0) }
            connection.follow(receive: { _ in }, end: onFailure)
            state.withLock { state in
                state.connections[socket] = connection
                state.opening[socket] = onOpen
            }
            watch(socket, [SRT_EPOLL_OUT, SRT_EPOLL_ERR])
            let result = address.withSockAddr { functions.srt_connect(socket, $0, CInt($1)) }
            guard result != SRT_ERROR else { throw functions.failure }
            return connection
        } catch {
            state.withLock { state in
                state.connections[socket] = nil
                state.opening[socket] = nil
            }
            _ = functions.srt_close(socket)
            throw error as? SRTFailure ?? functions.failure
        }
    }

    /// Binds a caller to the port of others, so that they share their threads: to that of a listener on all addresses,
    /// or on the one from which the kernel would send.
    private func share(_ socket: SRTSOCKET, _ address: SocketAddress) throws(SRTFailure) {
        let family = address.protocol == .inet6 ? "::" : "0.0.0.0"
        let own = address.sourceAddress
        let known = state.withLock { state in
            state.listeners.values.lazy.map(\.address).first { listener in
                listener.protocol == address.protocol && (listener.isWildcard || listener.ipAddress == own)
            } ?? state.callers[family]
        }
        guard let start = known ?? (try? SocketAddress(ipAddress: family, port: 0)) else { return }
        try bind(socket, start)
        if known == nil, let bound = functions.address(of: socket) {
            state.withLock { $0.callers[family] = bound }
        }
    }

    // MARK: The engine's thread

    func watch(_ socket: SRTSOCKET, _ events: [SRT_EPOLL_OPT]) {
        var mask = events.reduce(CInt(0)) { $0 | CInt(bitPattern: $1.rawValue) }
        _ = functions.srt_epoll_add_usock(poll, socket, &mask)
    }

    func rewatch(_ socket: SRTSOCKET, _ events: [SRT_EPOLL_OPT]) {
        var mask = events.reduce(CInt(0)) { $0 | CInt(bitPattern: $1.rawValue) }
        _ = functions.srt_epoll_update_usock(poll, socket, &mask)
    }

    func unwatch(_ socket: SRTSOCKET) { _ = functions.srt_epoll_remove_usock(poll, socket) }

    /// Notes that a connection is over.
    private func discard(_ socket: SRTSOCKET) { state.withLock { $0.closing.append(socket) } }

    /// Notes that a connection has ended by itself.
    func discardEnded(_ connection: SRTConnection) {
        unwatch(connection.socket)
        discard(connection.socket)
    }

    /// Closes what is to be closed.
    ///
    /// - Returns: the sockets that were closed, and whether the engine is.
    func sweep() -> (closed: [SRTSOCKET], isOver: Bool) {
        let (closed, isOver) = state.withLock { state in
            var closed = state.closing
            state.closing = []
            if state.isClosed { closed += Array(state.connections.keys) + Array(state.listeners.keys) }
            for socket in closed {
                state.connections[socket] = nil
                state.opening[socket] = nil
            }
            return (closed, state.isClosed)
        }
        for socket in closed {
            unwatch(socket)
            _ = functions.srt_close(socket)
        }
        return (closed, isOver)
    }

    func listener(_ socket: SRTSOCKET) -> SRTListener? { state.withLock { $0.listeners[socket] } }

    func connection(_ socket: SRTSOCKET) -> SRTConnection? { state.withLock { $0.connections[socket] } }

    /// Takes a connection whose handshake is over.
    func accept(_ listener: SRTListener) {
        while true {
            var storage = sockaddr_storage()
            var length = CInt(MemoryLayout<sockaddr_storage>.size)
            let (socket, peer) = withUnsafeMutablePointer(to: &storage) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    (functions.srt_accept(listener.socket, address, &length), SocketAddress(address))
                }
            }
            guard socket != SRT_INVALID_SOCK else { return }
            _ = functions.set(SRTO_SNDSYN, false, of: socket)
            _ = functions.set(SRTO_RCVSYN, false, of: socket)
            var delivers = false
            var size = CInt(MemoryLayout<Bool>.size)
            _ = functions.srt_getsockflag(socket, SRTO_TSBPDMODE, &delivers, &size)
            let connection = SRTConnection(
                socket, streamID: functions.streamID(of: socket), peer: peer, isSender: delivers, functions: functions
            ) { [weak self] in self?.discard($0) }
            state.withLock { $0.connections[socket] = connection }
            listener.onConnection(connection)
            watch(socket, [SRT_EPOLL_IN, SRT_EPOLL_ERR])
        }
    }

    /// Takes the connection of a caller that is made.
    ///
    /// - Returns: false if it was made before.
    func open(_ connection: SRTConnection) -> Bool {
        guard let onOpen = state.withLock({ $0.opening.removeValue(forKey: connection.socket) }) else { return false }
        onOpen(connection)
        rewatch(connection.socket, [SRT_EPOLL_IN, SRT_EPOLL_ERR])
        return true
    }

    /// Time until the next look, in milliseconds.
    static func interval(hasGap: Bool) -> Int64 { hasGap ? gapInterval : idleInterval }
    static var batchCount: Int { eventCount }
}
