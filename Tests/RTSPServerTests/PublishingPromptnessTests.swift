import MediaCore
import NIOCore
import NIOEmbedded
import NIOPosix
import Testing

@testable import LiveChannels
@testable import RTPTransport
@testable import RTSPProtocol
@testable import RTSPServer

/// Which tracks' packets a viewer's demand concerns.
struct PublishingPromptnessTests {
    private let channel: LiveChannel
    private let session: PublishingSession
    private let now = NIODeadline.uptimeNanoseconds(1_000_000_000_000)

    /// A push of video, audio and metadata over three pairs of channels.
    init() throws {
        let environment = RTSPServerEnvironment.forTests(
            RTSPServerConfiguration(port: 0), on: MultiThreadedEventLoopGroup.singleton)
        channel = try #require(environment.channels.channel(named: "canalA"))
        let formats: [PublishedTrackFormat] = [
            .usable(RTPTrackFormat(payloadType: 96, clockRate: 90_000, payload: .hevc(nil)), .video),
            .usable(RTPTrackFormat(payloadType: 0, clockRate: 8_000, payload: .pcmMuLaw(channelCount: 1)), .audio),
            .ignored,
        ]
        session = PublishingSession(
            accepted: AcceptedAnnouncement(channel: channel, formats: formats, presetName: nil, userAgent: nil),
            eventLoop: EmbeddedEventLoop())
        for index in formats.indices {
            let rtp = UInt8(2 * index)
            session.setUp(index, .interleaved(RTSPChannelPair(rtp: rtp, rtcp: rtp + 1)))
        }
    }

    /// Positions of the tracks whose packets have to be handled as they arrive.
    private var hurried: [Int] { (0..<3).filter { session.promptTime(trackIndex: $0, now: now) == now } }

    @Test func aTrackIsNotReadForTheOther() {
        #expect(hurried == [] && session.promptTime(trackIndex: nil, now: now) == nil)
        channel.expectPromptness([.video], now: now)
        #expect(hurried == [0])
        #expect(session.promptTime(trackIndex: nil, now: now) == now, "tracks that share a connection")
        channel.expectPromptness(now: now)
        #expect(hurried == [0, 1], "metadata is of use to nobody")
    }

    /// The rest comes with the packets of the other one.
    @Test func aTrackThatIsMissingConcernsTheOther() {
        session.release(0)
        channel.expectPromptness([.video], now: now)
        #expect(hurried.contains(1))
    }
}
