public import Capture
import LibAV
public import NIOCore
import NIOPosix
import Synchronization

/// A broadcast from a source to a channel: captures, encodes, publishes and reconnects until it is stopped or its
/// source ends.
///
/// ```swift
/// let target = try PushTarget(parsing: "rtsp://127.0.0.1:8554/live/canalA.stream", transport: .tcp)
/// let settings = BroadcastSettings(
///     target: target, source: .devices(video: .testCard(title: "CANAL A"), audio: .testTone),
///     encoding: BroadcastEncoding(
///         width: 854, height: 480, frameRate: 30, videoBitRate: 1_200_000, audioBitRate: 96_000))
/// let broadcast = Broadcast(settings)
/// async let summary = broadcast.run()
/// for await case .status(let status) in broadcast.events { print(status.state, status.bitRate) }
/// print(try await summary.sentFrameCount)
/// ```
///
/// Each object is one broadcast: ``run()`` is called once. All members may be used from any task.
public final class Broadcast: Sendable {
    /// An event of a running broadcast.
    public enum Event: Sendable {
        /// The state, once per second.
        case status(BroadcastStatus)
        /// An image of the media that is being sent.
        case preview(PreviewImage)
        /// A human-readable notice, sent once, such as "the uplink does not carry …".
        case notice(String)
    }

    /// The largest number of events that wait for a slow consumer; the oldest are dropped.
    private static let maximumEventCount = 64

    /// The events, for one consumer. The stream ends with the broadcast.
    public let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation
    private let settings: BroadcastSettings
    private let group: any EventLoopGroup
    private let observer: (any PushObserver)?
    private let state = Mutex(State())

    private struct State {
        var session: NIOLoopBound<BroadcastSession>?
        var eventLoop: (any EventLoop)?
        var isStopped = false
        var capture: BroadcastCapture?
    }

    /// Creates a broadcast, which starts with ``run()``.
    ///
    /// - Parameters:
    ///   - settings: What to send, and where to.
    ///   - observer: Asks the server what it receives; `nil` if the server cannot be asked.
    ///   - group: The event loops for sending; `nil` for those of the process.
    public init(
        _ settings: BroadcastSettings, observer: (any PushObserver)? = nil, group: (any EventLoopGroup)? = nil
    ) {
        self.settings = settings
        self.group = group ?? MultiThreadedEventLoopGroup.singleton
        self.observer = observer
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.maximumEventCount))
    }

    /// Runs until the broadcast is stopped, its source ends, or it fails.
    ///
    /// - Returns: The final status.
    /// - Throws: ``BroadcastError``
    public func run() async throws(BroadcastError) -> BroadcastStatus {
        defer { continuation.finish() }
        let eventLoop = group.next()
        let end = eventLoop.makePromise(of: Result<BroadcastStatus, BroadcastError>.self)
        let (settings, continuation) = (settings, continuation)
        let session = try? await eventLoop.submit {
            let session = BroadcastSession(settings, eventLoop: eventLoop, events: continuation) { end.succeed($0) }
            return NIOLoopBound(session, eventLoop: eventLoop)
        }.get()
        guard let session else { throw BroadcastError(.connectionLost, "the event loop has been shut down") }
        state.withLock { state in
            state.session = session
            state.eventLoop = eventLoop
        }
        await open(session, on: eventLoop)
        async let observation: Void = observe(session, on: eventLoop, until: end.futureResult)
        let result =
            (try? await end.futureResult.get()) ?? .failure(BroadcastError(.connectionLost, "the broadcast was ended"))
        await observation
        // Closing waits for the capture's threads, which must not happen on an event loop.
        let capture = state.withLock { $0.capture }
        if let capture { try? await NIOThreadPool.singleton.runIfActive { capture.close() } }
        return try result.get()
    }

    /// Ends the session with the server and lets ``run()`` return. May be called at any time, and more than once.
    public func stop() {
        let (session, eventLoop) = state.withLock { state in
            state.isStopped = true
            return (state.session, state.eventLoop)
        }
        guard let session, let eventLoop else { return }
        eventLoop.execute { session.value.stop() }
    }

    /// Changes which previews are wanted; `nil` for none.
    public func setPreview(_ request: PreviewRequest?) { state.withLock { $0.capture }?.setPreview(request) }

    /// Opens the capture. Cameras take a second to open, so this does not happen on an event loop.
    private func open(_ session: NIOLoopBound<BroadcastSession>, on eventLoop: any EventLoop) async {
        let settings = settings
        let outcome = await Self.capture(settings) { outputs in
            eventLoop.execute { session.value.take(outputs) }
        }
        let isStopped = state.withLock { state in
            if case .success(let capture) = outcome { state.capture = capture }
            return state.isStopped
        }
        eventLoop.execute {
            switch outcome {
            case .success(let capture): session.value.opened(capture)
            case .failure(let error): session.value.fail(error)
            }
            if isStopped { session.value.stop() }
        }
    }

    private static func capture(
        _ settings: BroadcastSettings, emit: @escaping @Sendable ([BroadcastOutput]) -> Void
    ) async -> Result<BroadcastCapture, BroadcastError> {
        do {
            let capture = try await NIOThreadPool.singleton.runIfActive {
                try BroadcastCapture(
                    settings.source, encoding: settings.encoding, preview: settings.preview, emit: emit)
            }
            return .success(capture)
        } catch let error as LibAVError {
            return .failure(BroadcastError(error))
        } catch {
            return .failure(BroadcastError(.source, "\(error)"))
        }
    }

    /// Asks the server every two seconds what it receives, until the broadcast ends.
    private func observe<Value>(
        _ session: NIOLoopBound<BroadcastSession>, on eventLoop: any EventLoop, until end: EventLoopFuture<Value>
    ) async {
        guard let observer else { return }
        await withTaskGroup { group in
            group.addTask {
                while !Task.isCancelled {
                    try? await Task.sleep(for: .seconds(2))
                    guard !Task.isCancelled, let received = try? await observer.received() else { continue }
                    eventLoop.execute { session.value.received = received }
                }
            }
            await withCheckedContinuation { continuation in end.whenComplete { _ in continuation.resume() } }
            group.cancelAll()
        }
    }
}

extension Broadcast {
    /// Lists the capture devices of this machine. Takes a moment, and blocks its thread.
    ///
    /// - Parameter display: The X server's display, as in the environment variable `DISPLAY`; `nil` for none.
    /// - Throws: ``BroadcastError`` if libavdevice is missing.
    public static func devices(display: String?) throws(BroadcastError) -> CaptureDeviceListing {
        do {
            return try CaptureDeviceListing.read(display: display)
        } catch {
            throw BroadcastError(error)
        }
    }
}
