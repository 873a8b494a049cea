import CLibSRT
import MediaCore
import NIOCore

/// The loop of the engine's thread: takes connections, reads what has come, and ends what is broken.
struct SRTPolling {
    /// Packets of one connection in a row, so that none keeps the others waiting.
    private static let maximumReadCount = 128
    private static let packetByteCount = 1_500

    let engine: SRTEngine
    let functions: AntenaSRTFunctions
    let poll: CInt
    private var orders: [SRTSOCKET: PacketOrder] = [:]
    /// Connections whose bytes are not taken fast enough.
    private var paused: Set<SRTSOCKET> = []

    init(engine: SRTEngine, functions: AntenaSRTFunctions, poll: CInt) {
        (self.engine, self.functions, self.poll) = (engine, functions, poll)
    }

    consuming func run() {
        var events = [SRT_EPOLL_EVENT](repeating: SRT_EPOLL_EVENT(), count: SRTEngine.batchCount)
        while true {
            let (closed, isOver) = engine.sweep()
            for socket in closed {
                orders[socket] = nil
                paused.remove(socket)
            }
            guard !isOver else { return }
            let hasGap = orders.values.contains { $0.hasGap }
            let count = functions.srt_epoll_uwait(
                poll, &events, CInt(events.count), SRTEngine.interval(hasGap: hasGap))
            for event in events.prefix(max(0, min(Int(count), events.count))) { take(event) }
            for (socket, order) in orders where order.hasGap {
                if let connection = engine.connection(socket), !paused.contains(socket) { read(connection) }
            }
            resume()
        }
    }

    private mutating func take(_ event: SRT_EPOLL_EVENT) {
        if let listener = engine.listener(event.fd) { return engine.accept(listener) }
        guard let connection = engine.connection(event.fd) else { return engine.unwatch(event.fd) }
        func has(_ option: SRT_EPOLL_OPT) -> Bool { event.events & CInt(bitPattern: option.rawValue) != 0 }
        if has(SRT_EPOLL_ERR) {
            // What had come before is still there.
            if !connection.isSender { read(connection) }
            return end(connection)
        }
        if has(SRT_EPOLL_OUT), engine.open(connection) { return }
        if has(SRT_EPOLL_IN) { read(connection) }
    }

    private mutating func end(_ connection: SRTConnection) {
        let code = functions.srt_getrejectreason(connection.socket)
        let words =
            code > 0 ? functions.srt_rejectreason_str(code).map { String(cString: $0) } : nil
        connection.ended(words.map { "refused: \($0)" } ?? "the connection was closed or lost")
        engine.discardEnded(connection)
    }

    private mutating func read(_ connection: SRTConnection) {
        // Readers have nothing to say. libsrt takes a thread for a connection on which both sides send.
        guard !connection.isSender else {
            connection.ended("the reader sent media")
            return engine.discardEnded(connection)
        }
        let now = NIODeadline.now()
        var order = orders[connection.socket] ?? PacketOrder(patience: patience(of: connection), bitCount: 31)
        var output = ByteBuffer()
        for _ in 0..<Self.maximumReadCount {
            var control = SRT_MSGCTRL()
            var packet = ByteBuffer()
            let count = packet.writeWithUnsafeMutableBytes(minimumWritableBytes: Self.packetByteCount) { bytes in
                let count = functions.srt_recvmsg2(
                    connection.socket, bytes.bindMemory(to: CChar.self).baseAddress, CInt(Self.packetByteCount),
                    &control)
                return max(0, Int(count))
            }
            guard count > 0 else { break }
            order.take(packet, sequence: control.pktseq, now: now, into: &output)
        }
        order.giveUp(now: now, into: &output)
        orders[connection.socket] = order
        connection.receive(output, skippedCount: order.skippedCount)
        if connection.isBehind {
            paused.insert(connection.socket)
            engine.rewatch(connection.socket, [SRT_EPOLL_ERR])
        }
    }

    private func patience(of connection: SRTConnection) -> TimeAmount {
        var latency: CInt = 0
        var size = CInt(MemoryLayout<CInt>.size)
        _ = functions.srt_getsockflag(connection.socket, SRTO_RCVLATENCY, &latency, &size)
        return .milliseconds(Int64(max(SRTOptions.latencies.lowerBound, Int(latency))))
    }

    private mutating func resume() {
        for socket in paused {
            guard let connection = engine.connection(socket) else {
                paused.remove(socket)
                continue
            }
            guard !connection.isBehind else { continue }
            paused.remove(socket)
            engine.rewatch(socket, [SRT_EPOLL_IN, SRT_EPOLL_ERR])
        }
    }
}
