import HTTPTypes
import SiteTexts

/// A sentence for each status of an answer that is an error.
struct ProblemText: SiteTextSection {
    static let section = "problems"

    private let sentences: [String: String]

    init(from decoder: any Decoder) throws { sentences = try [String: String](from: decoder) }

    func sentence(_ status: HTTPResponse.Status) -> String {
        sentences["\(status.code)"] ?? sentences["\(status.code / 100)xx"] ?? status.reasonPhrase
    }
}
