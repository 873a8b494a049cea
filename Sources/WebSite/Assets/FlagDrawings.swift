import CEmbeddedFiles
import JSONDocument
import Scoreboard
import Workflows

/// Small drawings of the flags of countries, which Scripts/make-flags.py makes.
enum FlagDrawings {
    /// The drawings by the names of their files, such as `ES.svg`. A country without one has its code in a frame.
    static let assets: [String: CompressedAsset] = Dictionary(
        uniqueKeysWithValues: Countries.codes.map { code in
            ("\(code).svg", CompressedAsset(drawings[code] ?? placeholder(code), "image/svg+xml"))
        })

    static let version = SiteAssets.version(of: antena_flags_json().content)

    /// The beginning of the addresses of all flags.
    static let path = "/site/\(version)/flags/"

    static func path(of country: String) -> String { "\(path)\(country).svg" }

    private static let drawings: [String: String] = {
        guard let members = try? JSONParser.parse(antena_flags_json().content).members else { return [:] }
        return Dictionary(
            members.compactMap { member in member.value.string.map { (member.name, $0) } },
            uniquingKeysWith: { first, _ in first })
    }()

    private static func placeholder(_ code: String) -> String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 48"><path fill="#3a424f" d="M0 0h64v48H0z"/>\
        <path fill="none" stroke="#9aa4b2" stroke-width="2" d="M3 3h58v42H3z"/>\
        <text x="32" y="33" text-anchor="middle" font-family="sans-serif" font-weight="700" font-size="25" \
        fill="#f2f4f7">\(code)</text></svg>
        """
    }
}
