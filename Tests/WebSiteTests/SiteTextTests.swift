import Accounts
import Community
import Foundation
import GatewayTestSupport
import HTTPEndpoints
import HTTPTypes
import IdentityProviders
import LibraryDetails
import MediaCore
import Notifications
import TestSupport
import Testing
import VideoClub

@testable import SiteTexts
@testable import WebSite

struct SiteTextTests {
    /// A template that names a text that there is not shows nothing in its place.
    @Test func everyTextOfATemplateExists() throws {
        let known = Set(Mirror(reflecting: SiteText.of(.english)).children.compactMap(\.label))
        let knownOfCommunity = Set(
            Mirror(reflecting: CommunityText.preferred("en")).children.compactMap(\.label))
        let folder = "\(Repository.path)/Sources/WebSite/Resources"
        let templates = try FileManager.default.contentsOfDirectory(atPath: folder)
            .filter { $0.hasSuffix(".mustache") }
        #expect(templates.count > 5)
        for template in templates {
            let source = try String(contentsOfFile: "\(folder)/\(template)", encoding: .utf8)
            let named = source.matches(of: /\{\{[#^]?t\.(\w+)\}\}/).map { String($0.1) }
            #expect(Set(named).subtracting(known).isEmpty, "\(template)")
            let namedOfCommunity = source.matches(of: /\{\{[#^]?c\.(\w+)\}\}/).map { String($0.1) }
            #expect(Set(namedOfCommunity).subtracting(knownOfCommunity).isEmpty, "\(template)")
        }
    }

    /// The reasons are in English wherever a file is refused; pages in Spanish have a text for each kind.
    @Test(arguments: [
        ("nota.txt has no file extension of a video or audio format", MediaFailure.noExtension),
        ("roto.mp4: is not in any media format that Antena knows", .unknownFormat),
        ("a.mp4: holds no media: its first 64 bytes are all zero", .unknownFormat),
        ("a.mp4: is empty (0 bytes)", .empty),
        ("a.m3u8: is a playlist that refers to other files; not opened", .playlist),
        ("a.mp4: box 'moov' at byte 12: the file ends in the middle of a box header", .incomplete),
        ("a.mp4: holds 'xyz', for which libav has no decoder", .unsupported),
        ("a.mp4: there is neither video nor audio in it", .noMedia),
        ("a.mp4: failed while decoding: Invalid data found when processing input", .damaged),
        ("a.mp4: took more than 3600 s of processor time", .tooLong),
        ("a.mp4: No space left on device", .diskFull), ("a.mp4: cannot open it: Permission denied", .notReadable),
        ("a.mp4: the worker was killed by SIGSEGV while reading it", .crashed),
        ("a.mp4: ran out of memory for a frame", .outOfMemory),
        ("a.mp4: stopped by an operator; retry the job with \"antena jobs retry\", or replace the file", .cancelled),
        ("a.mp4: something new", .other),
    ])
    func reasonsHaveAKind(_ reason: String, _ kind: MediaFailure) {
        #expect(MediaFailure(reason) == kind)
        #expect(MediaFailure.text(reason, in: .english) == reason)
        let spanish = MediaFailure.text(reason, in: .spanish)
        #expect(!spanish.isEmpty && !spanish.contains("a.mp4"))
    }

    /// The page of an error never falls back to the English sentence of the API.
    @Test func everyStatusHasASpanishText() {
        for code in 400..<600 {
            let problem = ProblemDetails(HTTPResponse.Status(code: code), "an English sentence")
            #expect(!SiteText.of(.spanish).explanation(of: problem).contains("English"), "\(code)")
            #expect(SiteText.of(.english).explanation(of: problem) == "an English sentence")
        }
    }

    @Test(arguments: SiteLanguage.allCases)
    func everyErrorOfAccountsHasAText(_ language: SiteLanguage) {
        let text = AccountText.of(language)
        for code in Refusal.Code.allCases { #expect((text.errors[code] ?? text.reasons[code]) != nil, "\(code)") }
    }

    /// Texts whose keys are the values of an enumeration.
    @Test(arguments: SiteLanguage.allCases)
    func everyValueHasAText(_ language: SiteLanguage) {
        let (account, club, videos) = (AccountText.of(language), ClubText.of(language), VideoPageText.of(language))
        for role in Role.allCases { #expect(account.roles[role] != nil, "\(role)") }
        for state in AccountState.allCases { #expect(account.states[state] != nil, "\(state)") }
        for code in ProviderError.Code.allCases { #expect(account.providerErrors[code] != nil, "\(code)") }
        for state in CopyDownloadState.allCases { #expect(club.copyStates[state] != nil, "\(state)") }
        for state in RentalState.allCases { #expect(club.states[state] != nil, "\(state)") }
        for reason in CreditReason.allCases { #expect(club.reasons[reason] != nil, "\(reason)") }
        for state in CompetitionState.allCases { #expect(CommunityText.of(language).states[state] != nil, "\(state)") }
        for event in ModerationRecord.Event.allCases { #expect(videos.events[event] != nil, "\(event)") }
        for reason in ReportReason.allCases { #expect(videos.reasons[reason] != nil, "\(reason)") }
        for name in [
            "range", "day", "competitionNotOpen", "notFound", "missingFields", "invalidField", "notAllowed", "tooMany",
            "tooOften", "conflict", "reload",
        ] { #expect(videos.refusals[name] != nil, "\(name)") }
        for field in DetailField.allCases {
            let text = DetailText.of(language)
            #expect(text.labels[field] != nil && text.refusal(field.kind) != nil, "\(field)")
        }
        for kind in NotificationKind.allCases {
            #expect(NotificationText.of(language).groups[kind.group] != nil, "\(kind)")
        }
        for failure in MediaFailure.allCases {
            #expect(MediaFailureText.of(language)[failure] != failure.rawValue, "\(failure)")
        }
    }

    @Test func spanishNamesTheCodecThatIsNotSupported() {
        let encrypted = "film.mp4: the video is encrypted (cenc); only files without copy protection can be played"
        #expect(MediaFailure.text(encrypted, in: .english) == encrypted)
        #expect(MediaFailure.text(encrypted, in: .spanish).hasPrefix("el archivo está cifrado"))
        let codec = "film.mp4: VVC (H.266) is not supported: this libav has no decoder for it"
        #expect(MediaFailure.text(codec, in: .spanish) == "el servidor no sabe decodificar VVC (H.266)")
        let unknown = "the codec 'xyz1' is not supported: this libav has no decoder for it"
        #expect(MediaFailure.text(unknown, in: .spanish) == "el servidor no sabe decodificar el códec 'xyz1'")
    }

    private static let spanishTexts: [any SiteTextSection.Type] = [
        AccountText.self, ClubText.self, CommunityText.self, DashboardText.self, DetailText.self,
        InstallationText.self, MapText.self, NotificationText.self, SiteText.self, SupportText.self, UploadText.self,
        VideoPageText.self,
    ]

    private func words<Output>(
        _ section: (some SiteTextSection).Type, _ tag: String, _ forms: Regex<Output>
    ) throws -> [String] {
        var all = ""
        dump(try SiteTextFiles.shared.decode(section, tag), to: &all)
        return all.matches(of: forms.ignoresCase()).map { String(all[$0.range]) }
    }

    /// Spanish has two forms of address. The site uses one of them, and the other one if the station wants it.
    @Test func spanishPagesUseOneFormOfAddress() throws {
        let familiar = /\b(tus?|tú|te|ti|tienes|quieres|puedes|sigues|has)\b/
        let formal =
            /\b(usted|escriba|elija|pulse|abra|ponga|guarde|revise|vuelva a|recargue|inténtelo|espere un|pida|sus? (cuenta|contraseña|correo|perfil|voto|créditos|dirección))\b/
        for section in Self.spanishTexts {
            #expect(try words(section, "es", formal) == [], "\(section)")
            #expect(try words(section, "es-formal", familiar) == [], "\(section)")
        }
    }
}
