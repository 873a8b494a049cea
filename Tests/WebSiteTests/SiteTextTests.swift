import Foundation
import HTTPEndpoints
import TestSupport
import Testing

@testable import WebSite

struct SiteTextTests {
    /// A template that names a text that there is not shows nothing in its place.
    @Test func everyTextOfATemplateExists() throws {
        let known = Set(Mirror(reflecting: SiteText.english).children.compactMap(\.label))
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

    @Test func spanishSaysWhyAFileCannotBePlayed() {
        let (english, spanish) = (SiteText.english, SiteText.spanish)
        let encrypted = "film.mp4: the video is encrypted (cenc); only files without copy protection can be played"
        #expect(english.mediaFailure(encrypted) == encrypted)
        #expect(spanish.mediaFailure(encrypted).hasPrefix("el archivo está cifrado"))
        #expect(UploadText.preferred("es").reason(encrypted) == spanish.mediaFailure(encrypted))
        let codec = "film.mp4: VVC (H.266) is not supported: this libav has no decoder for it"
        #expect(spanish.mediaFailure(codec) == "el servidor no sabe decodificar VVC (H.266)")
        let unknown = "the codec 'xyz1' is not supported: this libav has no decoder for it"
        #expect(spanish.mediaFailure(unknown) == "el servidor no sabe decodificar el códec 'xyz1'")
    }

    /// Spanish has two forms of address, and the site has one.
    @Test func spanishPagesSayUsted() {
        let texts: [Any] = [
            AccountText.spanish, ClubText.preferred("es"), CommunityText.preferred("es"), DetailText.preferred("es"),
            MapText.preferred("es"), NotificationText.of(.spanish), SiteText.spanish, SupportText.preferred("es"),
            UploadText.preferred("es"), VideoPageText.preferred("es"),
        ]
        for text in texts {
            var all = ""
            dump(text, to: &all)
            let forms = /\b(tus?|tú|te|ti|tienes|quieres|puedes|sigues|has)\b/
            let familiar = all.matches(of: forms.ignoresCase()).map { String($0.0) }
            #expect(familiar == [], "\(type(of: text))")
        }
    }
}
