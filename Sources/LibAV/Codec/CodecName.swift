import CLibAV

/// The name of a codec as people know it, for a stream that cannot be decoded.
struct CodecName: Hashable {
    /// The name, such as "VVC (H.266)".
    let text: String

    /// The names of codecs that files have and this libav may not decode, keyed by libav's names and by the sample
    /// entries and tags of containers.
    private static let known: [String: String] = [
        "vvc": "VVC (H.266)", "vvc1": "VVC (H.266)", "vvi1": "VVC (H.266)", "h266": "VVC (H.266)",
        "evc": "EVC (MPEG-5)", "evc1": "EVC (MPEG-5)", "lvc1": "LCEVC", "apv": "APV", "apv1": "APV",
        "avs3": "AVS3", "av3 ": "AVS3", "avs2": "AVS2", "braw": "Blackmagic RAW", "bra1": "Blackmagic RAW",
        "ac4": "AC-4", "ac-4": "AC-4", "mpegh_3d_audio": "MPEG-H 3D Audio", "mha1": "MPEG-H 3D Audio",
        "mhm1": "MPEG-H 3D Audio", "iamf": "IAMF", "eclipsa": "IAMF", "dtsx": "DTS:X", "alsp": "MPEG-4 ALS",
    ]

    /// - Parameters:
    ///   - parameters: the stream's parameters, whose tag names a codec that libav does not know.
    ///   - libavName: libav's name of the codec; "none" if it does not know it.
    init(_ parameters: AVCodecParameters, libavName: String) {
        self.init(libavName: libavName, tag: parameters.codec_tag)
    }

    init(libavName: String, tag: UInt32) {
        // The first character is in the lowest eight bits.
        let characters = [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: tag >> $0) }
        let isReadable = characters.allSatisfy { (0x20...0x7E).contains($0) }
        let tagName = isReadable ? String(decoding: characters, as: UTF8.self) : nil
        if let name = Self.known[libavName] ?? tagName.flatMap({ Self.known[$0.lowercased()] }) {
            text = name
        } else if libavName != "none", libavName != "unknown" {
            text = "the codec '\(libavName)'"
        } else {
            text = tagName.map { "the codec '\($0)'" } ?? "an unknown codec"
        }
    }
}
