import MediaCore

/// The parameters of AC-3 or E-AC-3: the content of `dac3` or `dec3` (ETSI TS 102 366 annex F).
package struct DolbyAudioConfiguration: Sendable, Hashable {
    /// The two formats that share these parameters.
    package enum Coding: Sendable, Hashable {
        case ac3
        /// E-AC-3, marketed as "Dolby Digital Plus".
        case enhancedAC3
    }

    package private(set) var coding: Coding
    /// The content of the box as received.
    package private(set) var record: [UInt8]
    /// Sampling rate in hertz.
    package private(set) var sampleRate: Int
    /// Number of channels, including the low-frequency channel and the channels of dependent substreams.
    package private(set) var channelCount: Int

    /// Samples per frame: six blocks of 256. A sample of E-AC-3 holds as many, whatever the size of its frames (ETSI
    /// TS 102 366 §F.6.1).
    package static let samplesPerFrame = 1_536
    /// Size limit in bytes. Eight substreams take 35 bytes; extensions add a few.
    package static let maximumByteCount = 256

    /// Sampling rates in hertz, indexed by fscod.
    private static let sampleRates = [48_000, 44_100, 32_000]
    /// Channel counts without the low-frequency channel, indexed by acmod.
    private static let channelCounts = [2, 1, 2, 3, 3, 4, 4, 5]
    /// Channels that a dependent substream adds for each bit of chan_loc, highest bit first (ETSI TS 102 366 table
    /// F.6.2).
    private static let locationChannelCounts = [2, 2, 1, 1, 2, 2, 2, 1, 1]

    /// - Parameters:
    ///   - record: the content of a `dac3` or a `dec3` box.
    ///   - coding: which of the two boxes it is.
    package init(parsingRecord record: [UInt8], coding: Coding) throws(CodecError) {
        let structure = coding == .ac3 ? "AC3SpecificBox" : "EC3SpecificBox"
        guard record.count <= Self.maximumByteCount else {
            throw CodecError(.invalid, in: structure, "is \(record.count) bytes long")
        }
        self.coding = coding
        self.record = record
        do throws(BitReader.EndOfData) {
            var reader = BitReader(record)
            // Skips data_rate and num_ind_sub; the first independent substream is the main programme.
            if coding == .enhancedAC3 { try reader.skipBits(16) }
            let rateCode = Int(try reader.readBits(2))
            try reader.skipBits(coding == .ac3 ? 5 + 3 : 5 + 1 + 1 + 3)
            let mode = Int(try reader.readBits(3))
            channelCount = Self.channelCounts[mode] + (try reader.readBit() ? 1 : 0)
            if coding == .enhancedAC3 {
                try reader.skipBits(3)
                if try reader.readBits(4) > 0 {
                    let locations = try reader.readBits(9)
                    for (position, count) in Self.locationChannelCounts.enumerated()
                    where locations >> UInt32(8 - position) & 1 == 1 {
                        channelCount += count
                    }
                }
            }
            sampleRate = Self.sampleRates.indices.contains(rateCode) ? Self.sampleRates[rateCode] : 0
        } catch {
            throw CodecError(.truncated, in: structure, "ends too early")
        }
        guard sampleRate > 0 else { throw CodecError(.unsupported, in: structure, "has a reduced sampling rate") }
    }

    package var rfc6381: String { coding == .ac3 ? "ac-3" : "ec-3" }
}
