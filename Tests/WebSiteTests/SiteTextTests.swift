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
