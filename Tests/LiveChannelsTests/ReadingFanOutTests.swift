import Codecs
import LiveChannels
import MediaCore
import NIOCore
import NIOEmbedded
import Testing

struct ReadingFanOutTests {
    final class Receiver: LiveFanOutReceiver {
        private(set) var log: [String] = []

        func receive(_ event: LiveFanOutEvent, subscription: Int) {
            switch event {
            case .began(let broadcast): log.append("began \(broadcast.identifier)")
            case .configured(_, let trackIndex): log.append("configured \(trackIndex)")
            case .unit(let unit): log.append("unit \(unit.unit.decodeTime) of \(unit.trackIndex)")
            case .ended: log.append("ended")
            }
        }
    }

    static let tracks = [
        LiveReaderTrack(
            track: Track(id: 0, mediaType: .audio, timescale: Timescale(8_000)), configuration: nil,
            foreignCodec: .pcmMuLaw(sampleRate: 8_000, channelCount: 1))
    ]

    static func unit(_ time: Int64) -> AccessUnit {
        AccessUnit(
            decodeTime: time, presentationTime: time, isRandomAccessPoint: true, payload: .frame(ByteBuffer(bytes: [1]))
        )
    }

    static func aac(_ channelCount: Int) throws -> CodecConfiguration {
        .aac(try AACConfiguration(sampleRate: 48_000, channelCount: channelCount))
    }

    @Test func everyLoopThatReadsIsToldOnceAndInOrder() throws {
        let fanOut = LiveFanOut()
        let loops = [EmbeddedEventLoop(), EmbeddedEventLoop()]
        let receivers = [Receiver(), Receiver()]
        fanOut.begin(tracks: Self.tracks, on: loops[0])
        fanOut.publish(Self.unit(0), trackIndex: 0)
        for (loop, receiver) in zip(loops, receivers) {
            #expect(fanOut.subscribe(receiver, on: loop).broadcast == fanOut.broadcast)
        }
        fanOut.publish(Self.unit(1), trackIndex: 0)
        fanOut.updateConfiguration(try Self.aac(1), trackIndex: 0)
        fanOut.updateConfiguration(try Self.aac(1), trackIndex: 0)
        fanOut.updateConfiguration(try Self.aac(2), trackIndex: 1)
        fanOut.publish(Self.unit(2), trackIndex: 0)
        fanOut.end()
        fanOut.end()
        fanOut.publish(Self.unit(3), trackIndex: 0)
        fanOut.begin(tracks: Self.tracks, on: loops[1])
        for loop in loops { loop.run() }
        let expected = ["unit 1 of 0", "configured 0", "unit 2 of 0", "ended", "began 2"]
        #expect(receivers.map(\.log) == [expected, expected])
    }

    /// Receivers of one loop, such as those of two protocols, do not disturb each other.
    @Test func aLoopHasReceiversUntilTheyLeave() {
        let fanOut = LiveFanOut()
        let loop = EmbeddedEventLoop()
        let (first, second) = (Receiver(), Receiver())
        fanOut.begin(tracks: Self.tracks, on: loop)
        let subscription = fanOut.subscribe(first, on: loop)
        _ = fanOut.subscribe(second, on: loop)
        fanOut.publish(Self.unit(1), trackIndex: 0)
        loop.run()
        fanOut.unsubscribe(subscription.identifier)
        fanOut.publish(Self.unit(2), trackIndex: 0)
        loop.run()
        #expect(first.log == ["unit 1 of 0"])
        #expect(second.log == ["unit 1 of 0", "unit 2 of 0"])
    }

    @Test func theBroadcastIsWhatIsPushedNow() throws {
        let fanOut = LiveFanOut()
        let loop = EmbeddedEventLoop()
        #expect(fanOut.broadcast == nil)
        fanOut.begin(tracks: Self.tracks, on: loop)
        #expect(fanOut.broadcast?.identifier == 1)
        fanOut.updateConfiguration(try Self.aac(2), trackIndex: 0)
        #expect(fanOut.broadcast?.tracks.first?.configuration == (try Self.aac(2)))
        fanOut.begin(tracks: [], on: loop)
        #expect(fanOut.broadcast == LiveBroadcast(identifier: 2, tracks: []))
        fanOut.end()
        #expect(fanOut.broadcast == nil)
    }

    /// Letters are the units of a video track (K for a key frame) and of an audio track (s); the number is how many of
    /// the last ones a reader starts with.
    @Test(arguments: [("Kpsp", 4), ("pspp", 0), ("KppKsp", 3), ("", 0), ("Kpp!p", 0), ("Kp!pKs", 2)])
    func readersStartAtTheLastKeyFrame(_ text: String, count: Int) {
        let fanOut = LiveFanOut()
        let loop = EmbeddedEventLoop()
        fanOut.begin(
            tracks: [
                LiveReaderTrack(
                    track: Track(id: 0, mediaType: .video, timescale: .video90kHz), configuration: nil,
                    foreignCodec: .vp8), Self.tracks[0],
            ], on: loop)
        for (index, kind) in text.enumerated() {
            var unit = Self.unit(Int64(index))
            unit.isRandomAccessPoint = kind == "K" || kind == "s"
            // Larger than anything that is kept.
            if kind == "!" { unit.payload = .frame(ByteBuffer(repeating: 0, count: (4 << 20) + 1)) }
            fanOut.publish(unit, trackIndex: kind == "s" ? 1 : 0)
        }
        let receiver = Receiver()
        let units = fanOut.subscribe(receiver, on: loop).units
        #expect(units.map(\.unit.decodeTime) == (text.count - count..<text.count).map(Int64.init))
        fanOut.end()
        #expect(fanOut.subscribe(receiver, on: loop).units.isEmpty)
    }

    @Test func whatIsKeptHoldsNoNetworkBuffers() throws {
        let fanOut = LiveFanOut()
        let loop = EmbeddedEventLoop()
        fanOut.begin(
            tracks: [
                LiveReaderTrack(
                    track: Track(id: 0, mediaType: .video, timescale: .video90kHz), configuration: nil)
            ], on: loop)
        let network = ByteBuffer(bytes: 0..<100)
        let pieces = [network.getSlice(at: 10, length: 5), network.getSlice(at: 20, length: 3)].compactMap(\.self)
        let sent = SamplePayload.nalUnits([
            FragmentedNALUnit(restoredHeader: .oneByte(0x65), fragments: pieces), FragmentedNALUnit(pieces[1]),
        ])
        fanOut.publish(
            AccessUnit(decodeTime: 0, presentationTime: 0, isRandomAccessPoint: true, payload: sent), trackIndex: 0)
        let kept = try #require(fanOut.subscribe(Receiver(), on: loop).units.first).unit.payload
        var (expected, actual) = (ByteBuffer(), ByteBuffer())
        sent.write(into: &expected)
        kept.write(into: &actual)
        #expect(actual == expected)
        guard case .nalUnits(let units) = kept else {
            Issue.record("another kind of payload")
            return
        }
        #expect(units.flatMap(\.fragments).allSatisfy { $0.storageCapacity < network.storageCapacity })
    }
}
