import Codecs
import MediaCore
import RTPTransport
import TestSupport
import Testing

/// Boundaries of pictures, and the points at which decoding can start.
struct H264PictureTests {
    static func depacketizer(interleaving: NALUnitInterleaving? = nil) throws -> H264Depacketizer {
        H264Depacketizer(configuration: try H264DepacketizerTests.configuration(), interleaving: interleaving)
    }

    /// first_mb_in_slice is zero if the first bit after the header is one.
    @Test func aMarkerOnEachSliceDoesNotCutPictures() throws {
        let packets = (0..<4).flatMap { index in
            [[0x65, 0x88], [0x65, 0x40], [0x65, 0x20]].map { Sample.packet(0, UInt32(index), marker: true, $0) }
        }
        let run = DepacketizerRun(try Self.depacketizer(), packets)
        #expect(run.errors.isEmpty)
        #expect(
            run.bytes
                == Array(repeating: [0, 0, 0, 2, 0x65, 0x88, 0, 0, 0, 2, 0x65, 0x40, 0, 0, 0, 2, 0x65, 0x20], count: 3))
    }

    @Test func aMarkerThatIsRightEndsThePictureAtOnce() throws {
        var depacketizer = try Self.depacketizer()
        var output: [DepacketizerOutput] = []
        var counts: [Int] = []
        for index in 0..<4 {
            try depacketizer.receive(
                Sample.packet(0, UInt32(index), marker: true, [index == 0 ? 0x65 : 0x41, 0x88]), into: &output)
            counts.append(output.count)
        }
        // The first picture waits for the next packet.
        #expect(counts == [0, 2, 3, 4])
    }

    @Test func aMarkerFoundWrongLaterCostsOneKeyFrameDistance() throws {
        let slices: [(UInt32, [UInt8])] = [
            (0, [0x65, 0x88]), (1, [0x41, 0x88]), (2, [0x41, 0x88]), (2, [0x41, 0x40]), (3, [0x41, 0x88]),
            (4, [0x65, 0x88]), (4, [0x65, 0x40]), (5, [0x41, 0x88]), (5, [0x41, 0x40]), (6, [0x65, 0x88]),
        ]
        let run = DepacketizerRun(
            try Self.depacketizer(), slices.map { Sample.packet(0, $0, marker: true, $1) })
        #expect(run.timestamps == [0, 1, 2, 4, 5])
        #expect(run.units.map { $0.payload.byteCount } == [6, 6, 6, 12, 12])
    }

    /// A stream with recovery points only: intra refresh, or open groups of pictures.
    @Test func startsAtARecoveryPointWhereNoIDRComes() throws {
        let packets = (0..<200).flatMap { index -> [RTPPacket] in
            let timestamp = UInt32(index) * 3_600
            let slice = Sample.packet(0, timestamp, marker: true, [0x41, 0x88])
            return index % 25 == 0 ? [Sample.packet(0, timestamp, [0x06, 0x06, 0x01, 0x84, 0x80]), slice] : [slice]
        }
        let run = DepacketizerRun(try Self.depacketizer(), packets)
        // Three seconds at 25 frames per second.
        #expect(run.timestamps.first == 270_000)
        #expect(run.units.filter(\.isRandomAccessPoint).map { $0.rtpTimestamp / 3_600 } == [75, 100, 125, 150, 175])
    }

    @Test func besideIDRsARecoveryPointIsNoRandomAccessPoint() throws {
        let packets = (0..<200).flatMap { index -> [RTPPacket] in
            let timestamp = UInt32(index) * 3_600
            let slice = Sample.packet(0, timestamp, marker: true, [index % 50 == 0 ? 0x65 : 0x41, 0x88])
            return index % 50 == 25 ? [Sample.packet(0, timestamp, [0x06, 0x06, 0x01, 0x84, 0x80]), slice] : [slice]
        }
        let run = DepacketizerRun(try Self.depacketizer(), packets)
        #expect(run.units.filter(\.isRandomAccessPoint).map { $0.rtpTimestamp / 3_600 } == [0, 50, 100, 150])
    }

    @Test func dropsWhatIsShownBeforeARecoveryPointThatDecodingStartedAt() throws {
        let recovery: [UInt8] = [0x06, 0x06, 0x01, 0x84, 0x80]
        let packets = [
            Sample.packet(0, 0, marker: true, [0x41, 0x88]),
            Sample.packet(0, 400_000, recovery), Sample.packet(0, 400_000, marker: true, [0x41, 0x88]),
            Sample.packet(0, 396_400, marker: true, [0x01, 0x88]),
            Sample.packet(0, 403_600, marker: true, [0x41, 0x88]),
            Sample.packet(0, 407_200, marker: true, [0x41, 0x88]),
        ]
        #expect(try DepacketizerRun(Self.depacketizer(), packets).timestamps == [400_000, 403_600, 407_200])
    }

    /// A key frame that begins after the loss is complete.
    @Test func aLossBetweenPicturesDoesNotCostTheKeyFrameBehindIt() throws {
        let packets = [
            Sample.packet(0, 0, marker: true, [0x65, 0x88]), Sample.packet(0, 1, marker: true, [0x41, 0x88]),
            Sample.packet(0, 2, marker: true, [0x41, 0x88]), Sample.packet(0, 3, marker: true, [0x65, 0x88]),
            Sample.packet(0, 4, marker: true, [0x65, 0x40]),
        ]
        #expect(try DepacketizerRun(Self.depacketizer(), packets, losses: [2]).timestamps == [0, 1, 3, 4])
        // A picture that begins after the loss without its first slice is not complete.
        #expect(try DepacketizerRun(Self.depacketizer(), packets, losses: [3]).timestamps == [0, 1, 2])
    }

    /// Packetization mode 2: STAP-B, FU-B, MTAP16 and MTAP24 with decoding order numbers 0 to 6 around the wrap.
    @Test func putsInterleavedUnitsInDecodingOrder() throws {
        func number(_ index: UInt16) -> [UInt8] {
            let value = UInt16(65_533) &+ index
            return [UInt8(value >> 8), UInt8(truncatingIfNeeded: value)]
        }
        let run = DepacketizerRun(
            try Self.depacketizer(interleaving: NALUnitInterleaving(depth: 2)),
            [
                Sample.packet(1, 3_000, [0x79] + number(2) + [0, 2, 0x41, 0x88]),
                Sample.packet(2, 0, [0x79] + number(0) + [0, 2, 0x65, 0x88, 0, 2, 0x65, 0x40]),
                Sample.packet(3, 6_000, [0x5D, 0x81] + number(3) + [0x88]),
                Sample.packet(4, 6_000, marker: true, [0x5C, 0x41, 9]),
                Sample.packet(
                    5, 9_000, [0x7A] + number(4) + [0, 5, 1, 0x0B, 0xB8, 0x41, 0x88, 0, 5, 0, 0, 0, 0x41, 0x98]),
                Sample.packet(6, 15_000, [0x7B] + number(6) + [0, 6, 0, 0, 0, 0, 0x41, 0x88]),
                Sample.packet(7, 18_000, [0x79] + number(7) + [0, 2, 0x41, 0x88, 0, 2, 0x41, 0x40]),
            ])
        #expect(run.errors.isEmpty)
        #expect(run.timestamps == [0, 3_000, 6_000, 9_000, 12_000])
        #expect(
            run.bytes == [
                [0, 0, 0, 2, 0x65, 0x88, 0, 0, 0, 2, 0x65, 0x40], [0, 0, 0, 2, 0x41, 0x88],
                [0, 0, 0, 3, 0x41, 0x88, 9], [0, 0, 0, 2, 0x41, 0x98],
                [0, 0, 0, 2, 0x41, 0x88],
            ])
    }
}
