import Glibc
import NIOCore
import NIOHTTPTypes
import NIOPosix
import Packaging

/// Sends a body in pieces on an event loop. The next piece is read, or taken from memory, when the previous one has
/// been written.
final class BodySender {
    /// The source of the body.
    enum Source {
        /// Media on disk, read into a reused buffer.
        case file(PieceReader)
        /// Media in memory, shared with other viewers, in slices.
        case memory(BodySlices)
        /// A live segment, whose parts are taken from memory as they come.
        case growing(GrowingSegment)
    }

    private let source: Source
    /// The rest of the live segment that is sent as it grows; otherwise `nil`.
    private var growing: GrowingSegment?
    /// False once a wait for the next part has been in vain.
    private var mayWait = true
    /// The line end that a chunk still needs (RFC 9112 §7.1); it goes out with what follows.
    private var chunkEnd = ""
    /// Whether the end of the body has been marked.
    private var hasMarkedEnd = false
    /// The connection's socket if bytes may be sent to it past all handlers.
    private let socket: ResponseSocket?
    /// The context from which bytes bypass the HTTP/1.1 codec; `nil` with HTTP/2.
    private let encoder: ChannelHandlerContext?
    private let delivery: MediaDelivery
    private let context: ChannelHandlerContext
    private let onProgress: () -> Void
    private let onEnd: (_ isComplete: Bool) -> Void
    private let onHolding: (LiveHolding) -> Void
    /// Objects kept alive until the end.
    private var holding: [any AnyObject & Sendable]
    /// The head of the response, if it goes out past the pipeline as well and has not been sent yet.
    private var head: ByteBuffer?
    private var slices = BodySlices([])
    private var isRunning = false
    private var isDue = false
    /// The number of pieces that have been sent in this turn.
    private var pieceCount = 0
    private var hasEnded = false
    /// True while a thread of the pool uses the reader.
    private var isReading = false

    /// Number of pieces sent to a fast client before other connections get their turn.
    static let maximumPiecesPerTurn = 16
    /// Size of a piece written through the pipeline when the socket is full, whose completion tells when there is room
    /// again. It is small because it is copied.
    static let fullSocketPieceByteCount = 16 << 10

    /// - Parameters:
    ///   - context: the context of the delivery handler, through which the body is written and flushed.
    ///   - encoder: the context from which bytes bypass the HTTP/1.1 codec; `nil` with HTTP/2.
    ///   - socket: the connection's socket; `nil` if a handler between HTTP and the socket needs the bytes.
    ///   - head: The head of the response, to be sent to the socket before the body; `nil` if the pipeline has it
    ///     already, or if it is part of the source.
    ///   - holding: objects kept alive until the end.
    ///   - onProgress: called after each piece.
    ///   - onHolding: called with each piece of a live channel's memory that the client holds from then on.
    ///   - onEnd: called once, when everything has been written or an error has occurred, but not after ``stop()``.
    init(
        _ source: Source, of delivery: MediaDelivery, context: ChannelHandlerContext,
        encoder: ChannelHandlerContext?, socket: ResponseSocket?, head: ByteBuffer? = nil,
        holding: [any AnyObject & Sendable], onProgress: @escaping () -> Void,
        onHolding: @escaping (LiveHolding) -> Void = { _ in },
        onEnd: @escaping (_ isComplete: Bool) -> Void
    ) {
        self.source = source
        self.delivery = delivery
        self.context = context
        self.encoder = encoder
        self.socket = socket
        self.head = head
        self.holding = holding
        self.onProgress = onProgress
        self.onHolding = onHolding
        self.onEnd = onEnd
        switch source {
        case .memory(let slices): self.slices = slices
        case .growing(let segment): growing = segment
        case .file: break
        }
    }

    /// Starts sending, or continues with the next piece.
    func run() {
        // A piece that is written at once calls back synchronously.
        guard !isRunning else {
            isDue = true
            return
        }
        isRunning = true
        pieceCount = 0
        repeat {
            isDue = false
            if pieceCount == Self.maximumPiecesPerTurn {
                let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
                context.eventLoop.execute { bound.value.run() }
                break
            }
            pieceCount += 1
            sendNext()
        } while isDue && !hasEnded
        isRunning = false
    }

    /// Stops sending, because the connection is closed.
    func stop() {
        growing?.stopWaiting()
        hasEnded = true
        release()
    }

    private func sendNext() {
        guard !hasEnded else { return }
        switch source {
        case .memory:
            guard let slice = slices.next() else { return end(isComplete: true) }
            write(slice)
        case .growing: sendGrown()
        case .file(let reader):
            guard !reader.isAtEnd else { return end(isComplete: true) }
            if let free = socket?.free {
                send(from: reader, to: free)
            } else {
                // With a socket, a small piece takes the head that waits before it out of the pipeline.
                readAndWrite(
                    reader,
                    maximumByteCount: socket == nil ? FileTransfer.pieceByteCount : Self.fullSocketPieceByteCount)
            }
        }
    }

    /// Sends what has come of a live segment, or waits for more. With HTTP/1.1 each part is a chunk.
    private func sendGrown() {
        if let slice = slices.next() { return write(slice) }
        guard !hasMarkedEnd, let step = growing?.next(mayWait: mayWait, on: context.eventLoop) else {
            return end(isComplete: true)
        }
        switch step {
        case .part(let part, let holding):
            onHolding(holding)
            // Together with the first piece of the media, in one call of the system.
            var head = ByteBuffer()
            if encoder != nil {
                head.writeString("\(chunkEnd)\(String(part.byteCount, radix: 16))\r\n")
                chunkEnd = "\r\n"
            }
            head.writeImmutableBuffer(part.header)
            writeUnflushed(head)
            slices = BodySlices([part.media])
            isDue = true
        case .wait(let hasCome):
            let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
            hasCome.whenComplete { result in
                let sender = bound.value
                guard !sender.hasEnded else { return }
                sender.mayWait = (try? result.get()) ?? false
                sender.run()
            }
        case .end:
            hasMarkedEnd = true
            slices = BodySlices(encoder == nil ? [] : [ByteBuffer(string: "\(chunkEnd)0\r\n\r\n")])
            isDue = true
        case .broken: end(isComplete: false)
        }
    }

    private func writeUnflushed(_ piece: ByteBuffer) {
        socket?.noteChannelWrite()
        if let encoder {
            encoder.write(NIOAny(IOData.byteBuffer(piece)), promise: nil)
        } else {
            context.write(NIOAny(HTTPResponsePart.body(piece)), promise: nil)
        }
    }

    /// Sends the head as far as the socket accepts it; the rest stays in ``head``.
    private func sendHead(to socket: NIOBSDSocket.Handle) -> MediaSending {
        guard var rest = head else { return .progressed }
        let sending = rest.send(to: socket, hasMore: true)
        head = rest.readableBytes > 0 ? rest : nil
        if case .progressed = sending, head != nil { return .socketIsFull }
        return sending
    }

    /// Sends the head, if there still is one, and then as many pieces as the socket accepts in this turn.
    private func send(from reader: PieceReader, to socket: NIOBSDSocket.Handle) {
        var hasProgressed = false
        var sending = sendHead(to: socket)
        if case .progressed = sending {
            sending = reader.sendRun(to: socket)
            while case .progressed = sending {
                hasProgressed = true
                guard !reader.isAtEnd, pieceCount < Self.maximumPiecesPerTurn else { break }
                pieceCount += 1
                sending = reader.sendRun(to: socket)
            }
        }
        if hasProgressed { onProgress() }
        switch (sending, head.take()) {
        case (.failed, _): end(isComplete: false)
        // What the socket did not accept of the head waits in the pipeline.
        case (_, let rest?): write(rest)
        case (.progressed, nil): isDue = true
        case (.socketIsFull, nil): readAndWrite(reader, maximumByteCount: Self.fullSocketPieceByteCount)
        case (.mustBeRead, nil): readAndWrite(reader)
        }
    }

    private func readAndWrite(_ reader: PieceReader, maximumByteCount: Int = FileTransfer.pieceByteCount) {
        do {
            // Cached pages are read here, because another thread would take longer.
            if try reader.readNext(maximumByteCount, cachedOnly: true) {
                write(reader.piece)
            } else {
                readFromDisk(reader)
            }
        } catch {
            end(isComplete: false)
        }
    }

    /// Reads the next piece, which is not in memory, after it has been fetched from another machine if it is there.
    private func readFromDisk(_ reader: PieceReader) {
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        let eventLoop = context.eventLoop
        isReading = true
        let isFetched = reader.fetchNext { result in
            eventLoop.execute {
                let sender = bound.value
                sender.isReading = false
                guard !sender.hasEnded else { return sender.release() }
                switch result {
                case .success: sender.readOnThread(reader)
                case .failure: sender.end(isComplete: false)
                }
            }
        }
        if !isFetched { readOnThread(reader) }
    }

    private func readOnThread(_ reader: PieceReader) {
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
            // The range has not been reached yet.
            case .success where reader.piece.readableBytes == 0: sender.readFromDisk(reader)
            case .success: sender.write(reader.piece)
            case .failure: sender.end(isComplete: false)
            }
        }
    }

    private func write(_ piece: ByteBuffer) {
        socket?.noteChannelWrite()
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
        if let encoder {
            encoder.writeAndFlush(NIOAny(IOData.byteBuffer(piece)), promise: written)
        } else {
            context.writeAndFlush(NIOAny(HTTPResponsePart.body(piece)), promise: written)
        }
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
