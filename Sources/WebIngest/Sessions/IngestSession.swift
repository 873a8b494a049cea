import ChannelPublishing
import Codecs
import JSONDocument
import LiveChannels
import LogMetadata
import Logging
import MediaCore
package import NIOCore
import StreamConnections

/// The connection of one browser, from its first message to its end. Confined to the event loop of its connection.
package final class IngestSession {
    /// The browser, as its request has described it.
    package struct Browser: Sendable {
        package var peer: SocketAddress?
        package var userAgent: String?
        /// The session of somebody who is logged in; `nil` for a stranger, and for requests of other sites.
        package var session: String?
        package var isSecure: Bool

        package init(peer: SocketAddress?, userAgent: String?, session: String?, isSecure: Bool) {
            (self.peer, self.userAgent, self.session, self.isSecure) = (peer, userAgent, session, isSecure)
        }
    }

    private enum State {
        case greeting
        case asking(IngestHello)
        case publishing
        case over
    }

    private static let reportInterval = TimeAmount.seconds(1)
    private static let maximumUserAgentLength = 200

    private let server: IngestServer
    private let channel: LiveChannel
    private let browser: Browser
    private let eventLoop: any EventLoop
    private let output: (IngestOutput) -> Void
    private let logger: Logger
    private var state = State.greeting
    private var tracks: [UInt8: IngestTrack] = [:]
    private var push: GatheredPush?
    private var heardAt: NIODeadline
    private var receivedByteCount = 0
    private var timer: RepeatedTask?
    /// Messages that came before the permission was known, up to the size of one.
    private var early: [ByteBuffer] = []
    private var earlyByteCount = 0

    /// - Parameters:
    ///   - server: the server.
    ///   - name: the channel's name.
    ///   - browser: the browser.
    ///   - eventLoop: the event loop of the connection.
    ///   - output: sends something to the browser.
    /// - Returns: `nil` if there is no such channel.
    package init?(
        _ server: IngestServer, channel name: String, browser: Browser, on eventLoop: any EventLoop,
        output: @escaping (IngestOutput) -> Void
    ) {
        guard let channel = server.channels.channel(named: name) else { return nil }
        (self.server, self.channel, self.browser) = (server, channel, browser)
        (self.eventLoop, self.output) = (eventLoop, output)
        heardAt = eventLoop.now
        var logger = server.logger
        logger[.peerAddress] = "\(browser.peer.map(\.displayed) ?? "")"
        logger[.channelName] = "\(channel.name)"
        self.logger = logger
    }

    /// Begins to wait for the first message.
    package func begin() {
        server.update {
            $0.connectionCount += 1
            $0.acceptedConnectionCount += 1
        }
        let session = NIOLoopBound(self, eventLoop: eventLoop)
        timer = eventLoop.scheduleRepeatedTask(
            initialDelay: Self.reportInterval, delay: Self.reportInterval
        ) { _ in session.value.checkTime() }
    }

    // MARK: Messages

    /// Takes a message in text.
    package func receive(text: String) {
        heardAt = eventLoop.now
        switch state {
        case .greeting:
            do {
                greet(try IngestHello(text))
            } catch {
                refuse("\(error)", IngestCloseCode.policy)
            }
        case .asking, .publishing:
            guard text.utf8.count <= IngestHello.maximumByteCount, let node = try? JSONParser.parse(Array(text.utf8))
            else { return }
            switch node["type"]?.string {
            case "clock": note(IngestClock(node))
            case "end": finish("the broadcaster ended the push", isIntended: true, IngestCloseCode.normal)
            default: break
            }
        case .over: break
        }
    }

    /// Takes a binary message.
    package func receive(binary message: ByteBuffer) {
        heardAt = eventLoop.now
        receivedByteCount += message.readableBytes
        switch state {
        case .greeting: refuse("the first message must be a text", IngestCloseCode.policy)
        case .asking:
            earlyByteCount += message.readableBytes
            guard earlyByteCount <= IngestServer.maximumMessageByteCount else {
                return refuse("too much came before the answer", IngestCloseCode.policy)
            }
            early.append(message)
        case .publishing: take(message)
        case .over: break
        }
    }

    private func take(_ message: ByteBuffer) {
        do {
            let frame = try IngestFrame(message)
            guard var track = tracks[frame.track] else {
                throw IngestError("a frame is of track \(frame.track), which was not announced")
            }
            defer { tracks[frame.track] = track }
            push?.countReceived(byteCount: message.readableBytes, packetCount: 1, of: track.mediaType)
            switch frame.kind {
            case .configuration:
                try track.configure(frame.content)
                push?.set(track.mediaType, track.pushed)
            case .frame:
                guard let unit = try track.unit(frame) else { return }
                push?.set(track.mediaType, track.pushed)
                try push?.deliver(unit, of: track.mediaType)
                push?.unitsArrived()
            }
        } catch let error as CodecError {
            push?.reportError("\(error)")
        } catch let error as PublishingError {
            refuse(Self.words(error), Self.code(error))
        } catch {
            refuse("\(error)", IngestCloseCode.policy)
        }
    }

    /// Dates the frames: their times are those of the browser's clock.
    private func note(_ clock: IngestClock?) {
        guard let clock else { return }
        for track in tracks.values { push?.setCaptureTime(clock.date, mediaTime: clock.time, of: track.mediaType) }
    }

    // MARK: Permission

    private func greet(_ hello: IngestHello) {
        state = .asking(hello)
        var credential = hello.token.map { StreamCredential.token($0) } ?? browser.session.map { .session($0) }
        // Where nobody needs a login, one that is there does no harm.
        let access = channel.configuration.publishing.access
        if hello.token == nil, server.gate.verdict(without: nil, access, from: browser.peer)?.isAdmitted == true {
            credential = nil
        }
        let session = NIOLoopBound(self, eventLoop: eventLoop)
        server.gate.decide(credential, for: channel, from: browser.peer, on: eventLoop).whenSuccess {
            session.value.take($0, hello)
        }
    }

    private func take(_ verdict: PublisherVerdict, _ hello: IngestHello) {
        guard case .asking = state else { return }
        guard case .admitted(let username) = verdict else {
            if verdict == .wrongCredential { server.update { $0.failedLoginCount += 1 } }
            let hint = "log in, or open a link for publishers"
            return refuse(verdict.words(channel: channel.name, hint: hint) ?? "", IngestCloseCode.refused)
        }
        if let error = channel.publishingError(presetName: hello.preset) {
            return refuse(Self.words(error), Self.code(error))
        }
        do {
            for track in hello.tracks { tracks[track.number] = try IngestTrack(track) }
        } catch {
            return refuse(error.reason, IngestCloseCode.policy)
        }
        start(hello, username)
    }

    private func start(_ hello: IngestHello, _ username: String?) {
        let session = NIOLoopBound(self, eventLoop: eventLoop)
        let loop = eventLoop
        let publisher = Publisher(
            remoteAddress: browser.peer.map(\.displayed) ?? "",
            userAgent: browser.userAgent.map { String($0.prefix(Self.maximumUserAgentLength)) },
            transport: browser.isSecure ? "WSS" : "WS", presetName: hello.preset)
        let push = GatheredPush(to: channel, by: publisher, on: eventLoop) { reason in
            loop.execute { session.value.finish(reason, isIntended: true, IngestCloseCode.policy) }
        }
        push.expect(Set(tracks.values.map(\.mediaType)))
        for track in tracks.values where track.pushed.isReady { push.set(track.mediaType, track.pushed) }
        self.push = push
        state = .publishing
        server.update { $0.publisherCount += 1 }
        logger.info(
            "browser begins to publish",
            metadata: [.userName: "\(username?.prefix(100) ?? "")", .transport: "\(publisher.transport)"])
        output(.text(JSONText.object([("type", .string("ready"))]).rendered))
        let waiting = early
        early = []
        for message in waiting { take(message) }
    }

    private static func words(_ error: PublishingError) -> String {
        if case .channelBusy = error { return "the channel already has a publisher" }
        return "\(error)"
    }

    private static func code(_ error: PublishingError) -> UInt16 {
        if case .channelBusy = error { return IngestCloseCode.busy }
        return IngestCloseCode.refused
    }

    // MARK: Time

    private func checkTime() {
        let silence = eventLoop.now - heardAt
        switch state {
        case .greeting, .asking:
            if silence > TimeAmount(IngestServer.setUpTime) { refuse("nothing was published", IngestCloseCode.policy) }
        case .publishing:
            guard silence <= TimeAmount(IngestServer.silence) else {
                return finish("nothing was received for too long", isIntended: false, IngestCloseCode.goingAway)
            }
            let status = channel.viewers.count(now: .init(millisecondsSince1970: nowMilliseconds))
            output(
                .text(
                    JSONText.object([
                        ("type", .string("state")), ("viewers", .integer(status)),
                        ("receivedBytes", .integer(receivedByteCount)),
                        ("isLive", .boolean(push?.hasBegun ?? false)),
                    ]).rendered))
        case .over: break
        }
    }

    private var nowMilliseconds: Int64 { WallClock.system.now().millisecondsSince1970 }

    // MARK: Ends

    private func refuse(_ reason: String, _ code: UInt16) {
        server.update { $0.refusedCount += 1 }
        logger.notice("browser refused", metadata: [.reason: "\(reason.prefix(200))"])
        output(.text(JSONText.object([("type", .string("refused")), ("reason", .string(reason))]).rendered))
        finish(reason, isIntended: false, code)
    }

    /// Ends the push and the connection. Has no effect after the first call.
    ///
    /// - Parameters:
    ///   - reason: words for operators, and the browser.
    ///   - isIntended: whether the broadcaster or an operator ended the push.
    ///   - code: the code of the close frame.
    package func finish(_ reason: String, isIntended: Bool, _ code: UInt16) {
        if case .over = state { return }
        let wasPublishing = push != nil
        state = .over
        timer?.cancel()
        timer = nil
        early = []
        push?.end(reason: reason, isIntended: isIntended)
        push = nil
        server.update {
            $0.connectionCount -= 1
            if wasPublishing { $0.publisherCount -= 1 }
        }
        if wasPublishing { logger.info("browser has ended", metadata: [.reason: "\(reason.prefix(200))"]) }
        output(.close(code: code, reason: reason))
    }
}
