import Codecs
import MediaCore
import NIOCore
import RTPTransport
import Testing

/// A baseline stream of 640 × 480 with parameter sets from the SDP of an IP camera. The slices are invented; nothing
/// here decodes them.
enum Sample {
    static let sps: [UInt8] = [0x67, 0x42, 0xC0, 0x1E, 0xD9, 0x01, 0x40, 0x7B, 0x20]
    /// The same sequence parameter set with another level.
    static let otherSPS: [UInt8] = [0x67, 0x42, 0xC0, 0x1F, 0xD9, 0x01, 0x40, 0x7B, 0x20]
    static let pps: [UInt8] = [0x68, 0xCB, 0x8C, 0xB2]

    static func packet(
        _ sequence: UInt16, _ timestamp: UInt32, marker: Bool = false, _ payload: [UInt8]
    ) -> RTPPacket {
        RTPPacket(
            payloadType: 96, marker: marker, sequenceNumber: sequence, rtpTimestamp: timestamp,
            synchronizationSource: 1, payload: ByteBuffer(bytes: payload))
    }
}

struct H264DepacketizerTests {
    static func configuration() throws -> H264Configuration {
        try H264Configuration(sequenceParameterSets: [Sample.sps], pictureParameterSets: [Sample.pps])
    }

    static func run(
        _ packets: [RTPPacket], limits: DepacketizerLimits = .standard, hasConfiguration: Bool = true,
        losses: Set<Int> = [], policy: PacketLossPolicy = .dropUntilRandomAccess
    ) throws -> (units: [DepacketizedUnit], configurations: Int, errors: [DepacketizationError.Code]) {
        var depacketizer = H264Depacketizer(
            configuration: hasConfiguration ? try configuration() : nil, lossPolicy: policy, limits: limits)
        var output: [DepacketizerOutput] = []
        var errors: [DepacketizationError.Code] = []
        for (index, packet) in packets.enumerated() {
            if losses.contains(index) {
                depacketizer.packetsLost(into: &output)
                continue
            }
            do { try depacketizer.receive(packet, into: &output) } catch { errors.append(error.code) }
        }
        let units = output.compactMap { if case .unit(let unit) = $0 { unit } else { nil } }
        return (units, output.count - units.count, errors)
    }

    static func bytes(_ unit: DepacketizedUnit) -> [UInt8] {
        var buffer = ByteBuffer()
        unit.payload.write(into: &buffer)
        return Array(buffer.readableBytesView)
    }

    @Test func putsPicturesTogetherFromAllKindsOfPackets() throws {
        let result = try Self.run([
            Sample.packet(1, 0, [0x78, 0, 9] + Sample.sps + [0, 4] + Sample.pps),  // STAP-A
            Sample.packet(2, 0, marker: true, [0x65, 1]),  // single
            Sample.packet(3, 3_000, [0x5C, 0x81, 1, 2]),  // FU-A: start
            Sample.packet(4, 3_000, [0x5C, 0x01, 3]),
            Sample.packet(5, 3_000, marker: true, [0x5C, 0x41, 4]),  // end
            Sample.packet(6, 6_000, marker: true, [0x79, 0, 0, 0, 2, 0x41, 9]),  // STAP-B
            Sample.packet(7, 9_000, marker: true, [0x7A, 0, 0, 0, 2, 0, 0, 0, 0x41, 9]),  // MTAP16: cut short
        ])
        #expect(
            result.units.map(Self.bytes).prefix(3) == [
                [0, 0, 0, 2, 0x65, 1], [0, 0, 0, 5, 0x41, 1, 2, 3, 4], [0, 0, 0, 2, 0x41, 9],
            ])
        #expect(result.units.map(\.isRandomAccessPoint).prefix(3) == [true, false, false])
        #expect(result.configurations == 0)
    }

    @Test func aPictureEndsWhereTheTimestampChangesToo() throws {
        let result = try Self.run([
            Sample.packet(1, 0, [0x65, 1]), Sample.packet(2, 0, [0x65, 2]), Sample.packet(3, 3_000, [0x41, 3]),
            Sample.packet(4, 6_000, [0x41, 4]),
        ])
        #expect(
            result.units.map(Self.bytes) == [
                [0, 0, 0, 2, 0x65, 1, 0, 0, 0, 2, 0x65, 2], [0, 0, 0, 2, 0x41, 3],
            ])
    }

    @Test func dropsPicturesUntilTheNextKeyFrameAfterALoss() throws {
        let packets = [
            Sample.packet(1, 0, marker: true, [0x65, 1]), Sample.packet(2, 1, [0x5C, 0x81, 1]),
            Sample.packet(3, 1, [0x5C, 0x01, 1]), Sample.packet(4, 1, marker: true, [0x5C, 0x41, 1]),
            Sample.packet(5, 2, marker: true, [0x41, 1]), Sample.packet(6, 3, marker: true, [0x65, 2]),
            Sample.packet(7, 4, marker: true, [0x41, 1]),
        ]
        for lost in 1...3 {
            let result = try Self.run(packets, losses: [lost])
            #expect(result.units.map(\.rtpTimestamp) == [0, 3, 4], "packet \(lost) lost")
            #expect(result.units.map(\.followsGap) == [false, true, false])
            let tolerant = try Self.run(packets, losses: [lost], policy: .dropDamaged)
            #expect(tolerant.units.map(\.rtpTimestamp) == [0, 2, 3, 4], "packet \(lost) lost")
        }
    }

    @Test func startsWithAKeyFrameAndParameterSets() throws {
        let late = [
            Sample.packet(1, 0, marker: true, [0x41, 1]), Sample.packet(2, 1, marker: true, [0x65, 1]),
            Sample.packet(3, 2, Sample.sps), Sample.packet(4, 2, marker: true, Sample.pps),
            Sample.packet(5, 2, marker: true, [0x65, 1]), Sample.packet(6, 3, marker: true, [0x41, 1]),
        ]
        let result = try Self.run(late, hasConfiguration: false)
        #expect(result.units.map(\.rtpTimestamp) == [2, 3])
        #expect(result.configurations == 1)
    }

    @Test func onlyOtherContentIsAnotherConfiguration() throws {
        let pictures = (0..<5).flatMap { index -> [RTPPacket] in
            let sps = index < 3 ? Sample.sps : Sample.otherSPS
            return [
                Sample.packet(0, UInt32(index), sps), Sample.packet(0, UInt32(index), Sample.pps),
                Sample.packet(0, UInt32(index), marker: true, [0x65, 1]),
            ]
        }
        #expect(try Self.run(pictures).configurations == 1)
        #expect(try Self.run(pictures, hasConfiguration: false).configurations == 2)
    }

    @Test(
        arguments: [
            [0x78, 0, 9, 1], [0x78, 0], [0x7A, 0, 0, 0, 1, 0], [0x5C], [0x5C, 0x01, 9], [0x5C, 0x41, 9], [0x7E, 1],
            [0x60, 1], [0x5D, 0x81, 0], [0x79], [0x7B, 0, 0, 0, 3, 0, 0],
        ] as [[UInt8]])
    func reportsBrokenPacketsAndGoesOn(payload: [UInt8]) throws {
        let result = try Self.run([
            Sample.packet(1, 0, marker: true, [0x65, 1]), Sample.packet(2, 1, marker: true, payload),
            Sample.packet(3, 2, marker: true, [0x65, 2]),
        ])
        #expect(result.units.map(\.rtpTimestamp) == [0, 2])
        #expect(result.errors.count == 1)
    }

    @Test func keepsToItsLimits() throws {
        var limits = DepacketizerLimits()
        limits.maximumAccessUnitByteCount = 10
        limits.maximumNALUnitCount = 3
        let large = [
            Sample.packet(1, 0, [0x5C, 0x81, 1, 2, 3, 4, 5, 6]), Sample.packet(2, 0, [0x5C, 0x01, 1, 2, 3, 4, 5, 6]),
            Sample.packet(3, 0, marker: true, [0x5C, 0x41, 1]), Sample.packet(4, 1, marker: true, [0x65, 1]),
            Sample.packet(5, 2, [0x41, 1]),
        ]
        let result = try Self.run(large, limits: limits)
        #expect(result.units.map(\.rtpTimestamp) == [1])
        #expect(result.errors.first == .limitExceeded)
        let many = (0..<4).map { Sample.packet(UInt16($0), 0, marker: $0 == 3, [0x65, 1]) }
        #expect(try Self.run(many, limits: limits).errors == [.limitExceeded])
        let endless = (0..<100).map { Sample.packet(UInt16($0), 0, [0x06, 1]) }
        #expect(try Self.run(endless, limits: limits).units.isEmpty)
    }

    @Test func picturesShareTheBytesOfTheirPackets() throws {
        let packet = Sample.packet(1, 0, marker: true, [0x65] + Array(repeating: 7, count: 1_000))
        let unit = try #require(try Self.run([packet, Sample.packet(2, 1, [0x41, 0x80])]).units.first)
        guard case .nalUnits(let units) = unit.payload else { throw CancellationError() }
        let original = packet.payload.withUnsafeReadableBytes { $0.baseAddress }
        #expect(units[0].fragments[0].withUnsafeReadableBytes { $0.baseAddress } == original)
    }
}

struct AACDepacketizerTests {
    static func run(
        _ packets: [RTPPacket], clockRate: UInt32 = 44_100, layout: AACDepacketizer.HeaderLayout = .highBitRate
    ) throws -> (frames: [[UInt8]], offsets: [Int64], errors: [DepacketizationError.Code]) {
        var depacketizer = AACDepacketizer(
            configuration: try AACConfiguration(parsingAudioSpecificConfig: [0x12, 0x10]), clockRate: clockRate,
            layout: layout)
        var output: [DepacketizerOutput] = []
        var errors: [DepacketizationError.Code] = []
        for packet in packets {
            do { try depacketizer.receive(packet, into: &output) } catch { errors.append(error.code) }
        }
        var frames: [[UInt8]] = []
        var offsets: [Int64] = []
        for case .unit(let unit) in output {
            if case .frame(let frame) = unit.payload { frames.append(Array(frame.readableBytesView)) }
            offsets.append(unit.tickOffset)
        }
        return (frames, offsets, errors)
    }

    @Test func takesSeveralFramesFromAPacket() throws {
        let result = try Self.run([Sample.packet(1, 0, [0, 32, 0, 16, 0, 8, 1, 2, 3])])
        #expect(result.frames == [[1, 2], [3]])
        #expect(result.offsets == [0, 1_024])
    }

    @Test func readsTheLowBitRateLayout() throws {
        let result = try Self.run([Sample.packet(1, 0, [0, 16, 2 << 2, 1 << 2, 1, 2, 3])], layout: .lowBitRate)
        #expect(result.frames == [[1, 2], [3]])
    }

    @Test func putsFragmentsTogether() throws {
        let header: [UInt8] = [0, 16, 0, 5 << 3]
        let result = try Self.run([
            Sample.packet(1, 0, header + [1, 2]), Sample.packet(2, 0, header + [3, 4]),
            Sample.packet(3, 0, marker: true, header + [5]), Sample.packet(4, 9, header + [1, 2, 3, 4, 5]),
        ])
        #expect(result.frames == [[1, 2, 3, 4, 5], [1, 2, 3, 4, 5]])
    }

    /// A case that was found by fuzzing.
    @Test func aFrameOfNoBytesIsLeftOut() throws {
        let result = try Self.run([
            Sample.packet(1, 0, [0, 16, 0, 0]), Sample.packet(2, 0, [0, 16, 0, 5 << 3, 1, 2]),
            Sample.packet(3, 9, [0, 16, 0, 0]), Sample.packet(4, 18, [0, 32, 0, 0, 0, 8, 7]),
        ])
        #expect(result.frames == [[7]])
        #expect(result.offsets == [1_024])
    }

    @Test func aFrameWhoseFragmentsStopIsDropped() throws {
        let header: [UInt8] = [0, 16, 0, 5 << 3]
        let result = try Self.run([
            Sample.packet(1, 0, header + [1, 2]), Sample.packet(3, 7, header + [1, 2, 3, 4, 5]),
        ])
        #expect(result.frames == [[1, 2, 3, 4, 5]])
    }

    @Test(
        arguments: [
            [0], [0, 16, 0], [0, 0, 1], [0xFF, 0xFF, 0, 8, 1], [0, 32, 0, 8, 0, 16, 1], [0, 16, 0xFF, 0xF8, 1],
        ] as [[UInt8]])
    func reportsBrokenPackets(payload: [UInt8]) throws {
        // The last packet is the start of a frame of 8191 bytes, which is allowed but never completed.
        let result = try Self.run([Sample.packet(1, 0, payload)])
        #expect(result.errors.count == (payload == [0, 16, 0xFF, 0xF8, 1] ? 0 : 1))
    }
}
