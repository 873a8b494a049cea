import NIOCore
import NIOHTTPTypes
import NIOPosix
import Packaging

/// Sends a body piece by piece on an event loop: the next piece is read, or taken from memory, when the one before it
/// has been written.
final class BodySender {
    /// What is sent.
    enum Source {
        /// Media from a disk, read into a buffer that is used again.
        case file(PieceReader)
        /// Media in memory that others share, in slices.
        case memory(BodySlices)
    }

    private let source: Source
    /// Whether bytes may go to the connection's socket past all handlers.
    private let isDirect: Bool
    private let delivery: MediaDelivery
    private let context: ChannelHandlerContext
    private let onProgress: () -> Void
    private let onEnd: (_ isComplete: Bool) -> Void
    /// Held until the end.
    private var holding: [any AnyObject & Sendable]
    private var slices = BodySlices([])
    private var isRunning = false
    private var isDue = false
    private var hasEnded = false
    /// A thread of the pool has the reader.
    private var isReading = false
    private var hasWritten = false

    /// Pieces sent to a client that takes them at once before others get their turn.
    static let maximumPiecesPerTurn = 16
    /// Written through the pipeline when the socket is full, so that its end tells when there is room again. Little,
    /// because it is copied.
    static let fullSocketPieceByteCount = 16 << 10

    /// - Parameters:
    ///   - context: the delivery handler's; the body goes through it, flushed.
    ///   - isDirect: whether nothing stands between HTTP and the socket, and bytes need no framing.
    ///   - holding: what is kept until the end.
    ///   - onProgress: called whenever a piece has been written.
    ///   - onEnd: called once, when everything has been written or nothing more can be, but not after ``stop()``.
    init(
        _ source: Source, of delivery: MediaDelivery, context: ChannelHandlerContext, isDirect: Bool = false,
        holding: [any AnyObject & Sendable], onProgress: @escaping () -> Void,
        onEnd: @escaping (_ isComplete: Bool) -> Void
    ) {
        self.source = source
        self.delivery = delivery
        self.context = context
        self.isDirect = isDirect
        self.holding = holding
        self.onProgress = onProgress
        self.onEnd = onEnd
        if case .memory(let slices) = source { self.slices = slices }
    }

    /// Begins, or goes on with the next piece.
    func run() {
        // A piece that is written at once says so from within its own write.
        guard !isRunning else {
            isDue = true
            return
        }
        isRunning = true
        var count = 0
        repeat {
            isDue = false
            if count == Self.maximumPiecesPerTurn {
                let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
                context.eventLoop.execute { bound.value.run() }
                break
            }
            count += 1
            sendNext()
        } while isDue && !hasEnded
        isRunning = false
    }

    /// The connection has gone.
    func stop() {
        hasEnded = true
        release()
    }

    private func sendNext() {
        guard !hasEnded else { return }
        switch source {
        case .memory:
            guard let slice = slices.next() else { return end(isComplete: true) }
            write(slice)
        case .file(let reader):
            guard !reader.isAtEnd else { return end(isComplete: true) }
            // Before the first piece the head may wait in the pipeline.
            if isDirect, hasWritten { sendDirectly(reader) } else { readAndWrite(reader) }
        }
    }

    private func sendDirectly(_ reader: PieceReader) {
        let sending: MediaSending? = try? context.channel.pipeline.syncOperations.withUnsafeTransportIfAvailable {
            (socket: NIOBSDSocket.Handle) -> MediaSending in reader.sendRun(to: socket)
        }
        switch sending {
        case .progressed:
            onProgress()
            isDue = true
        case .socketIsFull: readAndWrite(reader, maximumByteCount: Self.fullSocketPieceByteCount)
        case .mustBeRead, nil: readAndWrite(reader)
        case .failed: end(isComplete: false)
        }
    }

    private func readAndWrite(_ reader: PieceReader, maximumByteCount: Int = FileTransfer.pieceByteCount) {
        do {
            // What the page cache holds is read at once: handing it to another thread would take longer.
            if try reader.readNext(firstPieceByteCount ?? maximumByteCount, cachedOnly: true) {
                write(reader.piece)
            } else {
                readFromDisk(reader)
            }
        } catch {
            end(isComplete: false)
        }
    }

    /// The header goes out with the head; the media then needs no copying. `nil` for all other pieces.
    private var firstPieceByteCount: Int? { isDirect && !hasWritten ? Self.fullSocketPieceByteCount : nil }

    private func readFromDisk(_ reader: PieceReader) {
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        isReading = true
        let read = delivery.threadPool.runIfActive(eventLoop: context.eventLoop) {
            _ = try reader.readNext(cachedOnly: false)
        }
        read.whenComplete { result in
            let sender = bound.value
            sender.isReading = false
            guard !sender.hasEnded else { return sender.release() }
            switch result {
            // Not there yet: the range begins further behind.
            case .success where reader.piece.readableBytes == 0: sender.readFromDisk(reader)
            case .success: sender.write(reader.piece)
            case .failure: sender.end(isComplete: false)
            }
        }
    }

    private func write(_ piece: ByteBuffer) {
        hasWritten = true
        let written = context.eventLoop.makePromise(of: Void.self)
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        written.futureResult.whenComplete { result in
            let sender = bound.value
            guard !sender.hasEnded else { return }
            switch result {
            case .success:
                sender.onProgress()
                sender.run()
            case .failure: sender.end(isComplete: false)
            }
        }
        context.writeAndFlush(NIOAny(HTTPResponsePart.body(piece)), promise: written)
    }

    private func end(isComplete: Bool) {
        guard !hasEnded else { return }
        hasEnded = true
        release()
        onEnd(isComplete)
    }

    private func release() {
        guard !isReading else { return }
        if case .file(let reader) = source { delivery.pieceBuffers.give(reader.piece) }
        holding = []
    }
}

/// A body in memory, in slices that share it.
struct BodySlices: Sendable {
    private var pieces: ArraySlice<ByteBuffer>

    init(_ body: [ByteBuffer]) { pieces = body[...] }

    /// - Returns: `nil` at the end.
    mutating func next() -> ByteBuffer? {
        while let index = pieces.indices.first {
            let slice = pieces[index].readSlice(length: min(pieces[index].readableBytes, FileTransfer.pieceByteCount))
            if pieces[index].readableBytes == 0 { pieces.removeFirst() }
            if let slice, slice.readableBytes > 0 { return slice }
        }
        return nil
    }
}
