import Foundation
public import LibAV
public import NIOCore
import NIOPosix
import Synchronization

/// A broadcast from a source to a channel: captures, encodes, pushes, reconnects, until it is stopped or its source
/// ends.
///
/// ```swift
/// let target = try PushTarget(parsing: "rtsp://127.0.0.1:8554/live/canalA.stream", transport: .tcp)
/// let settings = BroadcastSettings(
///     target: target, source: .devices(picture: .testCard(title: "CANAL A"), sound: .testTone),
///     encoding: BroadcastEncoding(
///         width: 854, height: 480, frameRate: 30, videoBitRate: 1_200_000, audioBitRate: 96_000))
/// let broadcast = Broadcast(settings)
/// async let summary = broadcast.run()
/// for await case .status(let status) in broadcast.events { print(status.state, status.bitRate) }
/// print(try await summary.sentPictureCount)
/// ```
///
/// One object is one broadcast: ``run()`` is for one call. Everything may be called from any task.
public final class Broadcast: Sendable {
    /// What happens while it runs.
    public enum Event: Sendable {
        case status(BroadcastStatus)
        /// A small picture of what is being sent.
        case preview(PreviewPicture)
        /// Something that a person should know, once: "the line does not carry …".
        case notice(String)
    }

    /// Events that wait for a slow reader; the oldest go.
    private static let maximumEventCount = 64

    /// For one reader. Ends with the broadcast.
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

    /// - Parameters:
    ///   - observer: asks the server what it receives; `nil` where it cannot be asked.
    ///   - group: whose event loops do the sending; `nil` for the process's own.
    public init(
        _ settings: BroadcastSettings, observer: (any PushObserver)? = nil, group: (any EventLoopGroup)? = nil
    ) {
        self.settings = settings
        self.group = group ?? MultiThreadedEventLoopGroup.singleton
        self.observer = observer
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.maximumEventCount))
    }

    /// Until it is stopped, its source ends, or it cannot go on.
    ///
    /// - Returns: how it ended.
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
        let result = (try? await end.futureResult.get()) ?? .failure(BroadcastError(.connectionLost, "it was ended"))
        await observation
        // Waits for the capture's threads, which an event loop must not.
        let capture = state.withLock { $0.capture }
        if let capture { try? await NIOThreadPool.singleton.runIfActive { capture.close() } }
        return try result.get()
    }

    /// Says goodbye to the server and lets ``run()`` return. May be called at any time, and again.
    public func stop() {
        let (session, eventLoop) = state.withLock { state in
            state.isStopped = true
            return (state.session, state.eventLoop)
        }
        guard let session, let eventLoop else { return }
        eventLoop.execute { session.value.stop() }
    }

    /// Other previews from now on; `nil` for none.
    public func setPreview(_ request: PreviewRequest?) { state.withLock { $0.capture }?.setPreview(request) }

    /// Cameras take a second to open: not on an event loop.
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

    /// Asks the server now and then until the broadcast ends.
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
    /// What there is to capture on this machine. Takes a moment, and blocks its thread for it.
    ///
    /// - Parameter display: of the X server, as `DISPLAY` in the environment names it; `nil` for none.
    /// - Throws: ``BroadcastError`` where libavdevice is missing.
    public static func devices(display: String?) throws(BroadcastError) -> CaptureDeviceListing {
        do {
            return try CaptureDeviceListing.read(display: display)
        } catch {
            throw BroadcastError(error)
        }
    }
}

/// Asks a server what it receives of a push.
public protocol PushObserver: Sendable {
    /// - Returns: `nil` while nothing is received.
    func received() async throws -> ReceivedMedia?
}
