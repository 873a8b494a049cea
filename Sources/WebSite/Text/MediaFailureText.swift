import SiteTexts

/// The texts for the reasons why a file cannot be played.
struct MediaFailureText: SiteTextSection {
    static let section = "failures"

    let theCodec, unknownCodec: String
    private let texts: [String: String]

    init(from decoder: any Decoder) throws {
        texts = try [String: String](from: decoder)
        (theCodec, unknownCodec) = (texts["theCodec"] ?? "", texts["unknownCodec"] ?? "")
    }

    subscript(_ failure: MediaFailure) -> String { texts[failure.rawValue] ?? failure.rawValue }

    /// The server cannot decode a codec.
    func unsupported(_ codec: String) -> String { (texts["unsupportedCodec"] ?? "").filled("codec", with: codec) }
}
