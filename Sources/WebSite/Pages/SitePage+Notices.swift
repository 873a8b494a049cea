import Announcements
import HTTPEndpoints
import Hummingbird
import SiteTexts
import Workflows

extension SitePage {
    /// The values of a page's notices, each with the form that dismisses it.
    static func notices(_ request: Request, _ context: GatewayRequestContext) -> [[String: Any]] {
        let text = AnnouncementPageText.preferred(request.headers[.acceptLanguage])
        return context.notices.map { notice in
            var values: [String: Any] = [
                "label": text.label, "dismiss": text.dismiss, "action": ResourcePaths.announcementDismissal,
                "name": notice.name, "next": request.head.path ?? "/",
                "spans": AnnouncementText.spans(notice.text).map(values(of:)),
            ]
            if let token = context.csrfToken { values["csrf"] = token }
            return values
        }
    }

    private static func values(of span: AnnouncementText.Span) -> [String: Any] {
        switch span {
        case .plain(let text): ["plain": ["text": displayed(text)]]
        case .strong(let text): ["strong": ["text": displayed(text)]]
        case .emphasis(let text): ["emphasis": ["text": displayed(text)]]
        case .link(let text, let address): ["link": ["text": displayed(text), "address": address]]
        case .lineBreak: ["break": true]
        }
    }
}
