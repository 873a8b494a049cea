import Codecs
import MediaCore
import NIOCore
import RTPTransport
import TestSupport
import Testing

/// Codecs that are sent frame by frame, tested with captures.
struct VideoDepacketizerTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var capture: [String]
        /// Positions of the frames at which decoding can start.
        var keyPictures: [Int]
        var depacketizer: @Sendable () -> any Depacketizer
        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "VP8", capture: RTPCapture.vp8, keyPictures: [0], depacketizer: { VP8Depacketizer() }),
        Case(name: "VP9", capture: RTPCapture.vp9, keyPictures: [0, 4], depacketizer: { VP9Depacketizer() }),
        Case(
            name: "H.263+", capture: RTPCapture.h263Plus, keyPictures: [0, 3],
            depacketizer: { H263Depacketizer(format: .rfc4629) }),
    ]

    @Test(arguments: cases)
    func takesWhatGStreamerSends(_ test: Case) throws {
        let packets = try RTPCapture.packets(test.capture)
        let run = DepacketizerRun(test.depacketizer(), packets)
        #expect(run.errors.isEmpty)
        #expect(run.units.count == packets.filter(\.marker).count)
        #expect(run.units.indices.filter { run.units[$0].isRandomAccessPoint } == test.keyPictures)
    }

    @Test(arguments: cases)
    func dropsPicturesUntilTheNextKeyFrameAfterALoss(_ test: Case) throws {
        let packets = try RTPCapture.packets(test.capture)
        let all = DepacketizerRun(test.depacketizer(), packets)
        for lost in packets.indices {
            let run = DepacketizerRun(test.depacketizer(), packets, losses: [lost])
            let position = try #require(all.timestamps.firstIndex(of: packets[lost].rtpTimestamp))
            let next = test.keyPictures.first { $0 > position } ?? all.units.count
            #expect(run.bytes == Array(all.bytes[..<position] + all.bytes[next...]), "packet \(lost) lost")
        }
    }

    @Test(arguments: cases)
    func keepsToItsLimits(_ test: Case) throws {
        let packets = try RTPCapture.packets(test.capture)
        var large = packets[0]
        large.marker = false
        var depacketizer = test.depacketizer()
        var output: [DepacketizerOutput] = []
        try depacketizer.receive(large, into: &output)
        let whole = DepacketizerRun(test.depacketizer(), packets)
        #expect(whole.bytes.allSatisfy { $0.count < 10_000 })
        #expect(output.isEmpty)
    }
}

struct VP9DepacketizerTests {
    @Test func spatialLayersLeaveAsOneSuperframe() {
        let run = DepacketizerRun(
            VP9Depacketizer(),
            [
                // L, B and E: spatial layer 0, then layer 1, which depends on layer 0.
                Sample.packet(1, 0, [0x2C, 0x00, 0x00, 0x82, 1, 2]),
                Sample.packet(2, 0, marker: true, [0x2C, 0x03, 0x00, 0x86, 3]),
            ])
        #expect(
            run.bytes == [
                [0x82, 1, 2, 0x86, 3, 0xD9, 3, 0, 0, 0, 2, 0, 0, 0, 0xD9]
            ])
        #expect(run.units.map(\.isRandomAccessPoint) == [true])
    }

    @Test(
        arguments: [[0x80], [0xA0, 0x80, 1], [0x50, 0x01, 0x01], [0x0A, 0x18, 2], [0x0C], [0x04, 1]] as [[UInt8]])
    func reportsBrokenPackets(payload: [UInt8]) {
        let run = DepacketizerRun(VP9Depacketizer(), [Sample.packet(1, 0, marker: true, payload)])
        #expect(run.units.isEmpty)
        #expect(run.errors.count == 1)
    }
}

struct H263DepacketizerTests {
    /// RFC 2190 mode A; the second fragment begins in the last byte of the first.
    @Test func joinsFragmentsThatAreCutWithinAByte() {
        let run = DepacketizerRun(
            H263Depacketizer(format: .rfc2190),
            [
                Sample.packet(1, 0, [0x04, 0, 0, 0, 0, 0, 0x80, 0x02, 0x0C, 0xAF]),
                Sample.packet(2, 0, marker: true, [0x20, 0, 0, 0, 0xF5, 7]),
                Sample.packet(3, 1, [0x04, 0, 0, 0, 0, 0, 0x80, 0x02, 0x0C, 0xAF]),
                Sample.packet(4, 1, marker: true, [0x18, 0, 0, 0, 0xF5, 7]),
            ])
        #expect(run.bytes == [[0, 0, 0x80, 0x02, 0x0C, 0xA5, 7]])
        #expect(run.units.map(\.isRandomAccessPoint) == [true])
        #expect(run.codes == [.malformed])
    }

    @Test func readsPictureTypes() {
        // PTYPE of QCIF: intra, inter; PLUSPTYPE: intra with UFEP 1, inter with UFEP 0.
        let pictures: [[UInt8]] = [
            [0x04, 0, 0x80, 0x02, 0x08, 0], [0x04, 0, 0x80, 0x02, 0x0A, 0],
            [0x04, 0, 0x80, 0x02, 0x1C, 0x80, 0, 0, 0], [0x04, 0, 0x80, 0x02, 0x1C, 0x10, 0],
        ]
        let run = DepacketizerRun(
            H263Depacketizer(format: .rfc4629),
            pictures.enumerated().map { Sample.packet(0, UInt32($0), marker: true, $1) })
        #expect(run.units.map(\.isRandomAccessPoint) == [true, false, true, false])
        #expect(run.errors.isEmpty)
    }
}

struct AV1DepacketizerTests {
    /// A stream of libaom 3.6, 64 × 48: sequence header, and the first bytes of a key frame and of two inter frames.
    static let sequenceHeader = bytes(hexadecimal: "0800000002aff79fff3008")
    static let keyFrame = bytes(hexadecimal: "30140022a000008003")
    static let interFrame = bytes(hexadecimal: "30320000a5008208")

    @Test func leavesInLowOverheadFormatWithoutDelimiters() {
        let run = DepacketizerRun(
            AV1Depacketizer(),
            [
                // W 3: delimiter, sequence header, and the beginning of the frame (Y); N.
                Sample.packet(1, 0, [0x78, 2, 0x12, 0x00, 11] + Self.sequenceHeader + Self.keyFrame.prefix(4)),
                Sample.packet(2, 0, [0xD0] + Self.keyFrame[4..<6]),
                Sample.packet(3, 0, marker: true, [0x90] + Self.keyFrame[6...]),
                // W 0: each element has its length.
                Sample.packet(4, 3_600, marker: true, [0x00, 8] + Self.interFrame + [8] + Self.interFrame),
            ])
        #expect(run.errors.isEmpty)
        #expect(run.configurationCount == 1)
        let header: [UInt8] = [0x0A, 10] + Self.sequenceHeader.dropFirst()
        let key: [UInt8] = [0x32, 8] + Self.keyFrame.dropFirst()
        let inter: [UInt8] = [0x32, 7] + Self.interFrame.dropFirst()
        #expect(run.bytes == [header + key, inter + inter])
        #expect(run.units.map(\.isRandomAccessPoint) == [true, false])
    }

    static func unit(_ timestamp: UInt32, isKey: Bool) -> RTPPacket {
        isKey
            ? Sample.packet(0, timestamp, marker: true, [0x28, 11] + sequenceHeader + keyFrame)
            : Sample.packet(0, timestamp, marker: true, [0x10] + interFrame)
    }

    @Test func dropsUnitsUntilTheNextKeyFrameAfterALoss() {
        let packets = [true, false, false, true, false].enumerated().map { Self.unit(UInt32($0), isKey: $1) }
        #expect(DepacketizerRun(AV1Depacketizer(), packets).timestamps == [0, 1, 2, 3, 4])
        #expect(DepacketizerRun(AV1Depacketizer(), packets, losses: [1]).timestamps == [0, 3, 4])
        #expect(DepacketizerRun(AV1Depacketizer(), packets, losses: [2]).timestamps == [0, 1, 3, 4])
        #expect(DepacketizerRun(AV1Depacketizer(), packets, losses: [0]).timestamps == [3, 4])
        #expect(DepacketizerRun(AV1Depacketizer(), packets).configurationCount == 1)
    }

    @Test(
        arguments: [
            [0x90, 1], [0x20, 5, 1], [0x00, 0xFF, 0xFF, 0xFF, 0xFF, 1], [0x20, 1, 0x12], [0x10, 0x34], [0x10, 0x32, 9],
            [0x10, 0x08, 0xE0],
        ] as [[UInt8]])
    func reportsBrokenPacketsAndGoesOn(payload: [UInt8]) {
        let run = DepacketizerRun(
            AV1Depacketizer(),
            [
                Self.unit(0, isKey: true), Sample.packet(0, 1, marker: true, payload), Self.unit(2, isKey: false),
                Self.unit(3, isKey: true),
            ])
        #expect(run.timestamps == [0, 3])
        #expect(run.errors.count == 1)
    }

    @Test func keepsToItsLimits() {
        var limits = DepacketizerLimits()
        limits.maximumAccessUnitByteCount = 30
        let run = DepacketizerRun(
            AV1Depacketizer(limits: limits),
            [Self.unit(0, isKey: true)]
                + (0..<100).map { _ in Sample.packet(0, 1, [0x50] + Array(repeating: 0x30, count: 10)) })
        #expect(run.timestamps == [0])
        #expect(run.codes.contains(.limitExceeded) || run.codes.contains(.malformed))
    }
}
