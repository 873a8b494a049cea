import CLibSRT
package import NIOCore
import Synchronization

/// A connection of ``SRTEngine``. Its functions may be called on any thread.
package final class SRTConnection: Sendable {
    /// Bytes that have been received and not taken yet, beyond which nothing more is read: 3 s at 10 Mbit/s.
    static let maximumPendingByteCount = 4 << 20

    let socket: SRTSOCKET
    package let streamID: String
    /// The other side.
    package let peer: SocketAddress?
    let isSender: Bool
    private let functions: AntenaSRTFunctions
    private let onClose: @Sendable (SRTSOCKET) -> Void
    private let pending = Atomic<Int>(0)
    private let skipped = Atomic<Int64>(0)
    private let state = Mutex(State())

    private struct State {
        var onReceive: (@Sendable (ByteBuffer) -> Void)?
        var onEnd: (@Sendable (String) -> Void)?
        var isOpen = true
    }

    init(
        _ socket: SRTSOCKET, streamID: String, peer: SocketAddress?, isSender: Bool, functions: AntenaSRTFunctions,
        onClose: @escaping @Sendable (SRTSOCKET) -> Void
    ) {
        (self.socket, self.streamID, self.peer, self.isSender) = (socket, streamID, peer, isSender)
        (self.functions, self.onClose) = (functions, onClose)
    }

    // MARK: Receiving

    /// Says who takes what comes. Both functions are called on the engine's thread and must not wait.
    ///
    /// - Parameters:
    ///   - receive: takes bytes, in order. ``taken(byteCount:)`` has to follow.
    ///   - end: called once, with a reason, when the connection has ended by itself.
    package func follow(
        receive: @escaping @Sendable (ByteBuffer) -> Void, end: @escaping @Sendable (String) -> Void
    ) {
        state.withLock { ($0.onReceive, $0.onEnd) = (receive, end) }
    }

    /// Says that received bytes have been used, so that more may come.
    package func taken(byteCount: Int) { pending.subtract(byteCount, ordering: .relaxed) }

    var isBehind: Bool { pending.load(ordering: .relaxed) > Self.maximumPendingByteCount }

    func receive(_ bytes: ByteBuffer, skippedCount: Int64) {
        skipped.store(skippedCount, ordering: .relaxed)
        guard bytes.readableBytes > 0, let receive = state.withLock({ $0.onReceive }) else { return }
        pending.add(bytes.readableBytes, ordering: .relaxed)
        receive(bytes)
    }

    func ended(_ reason: String) {
        let end = state.withLock { state in
            defer { state = State(isOpen: false) }
            return state.isOpen ? state.onEnd : nil
        }
        end?(reason)
    }

    // MARK: Sending

    /// Sends a message of at most 1,316 bytes.
    ///
    /// - Returns: whether there was room for it. Nothing is kept here.
    package func send(_ bytes: ByteBuffer) -> Bool {
        state.withLock { state in
            guard state.isOpen else { return false }
            return bytes.withUnsafeReadableBytes { bytes in
                guard let start = bytes.bindMemory(to: CChar.self).baseAddress else { return true }
                return functions.srt_sendmsg2(socket, start, CInt(bytes.count), nil) > 0
            }
        }
    }

    /// The statistics so far.
    package var statistics: SRTStatistics {
        state.withLock { state in
            var values = SRT_TRACEBSTATS()
            guard state.isOpen, functions.srt_bistats(socket, &values, 0, 1) == 0 else { return SRTStatistics() }
            return SRTStatistics(
                values, isSender: isSender, skippedCount: skipped.load(ordering: .relaxed))
        }
    }

    /// Ends the connection; nobody is told. Has no effect after the first call.
    package func close() {
        let wasOpen = state.withLock { state in
            defer { state = State(isOpen: false) }
            return state.isOpen
        }
        if wasOpen { onClose(socket) }
    }
}
