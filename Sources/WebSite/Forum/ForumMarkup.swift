import APIContract
import Accounts
import Forum
import Workflows

/// The values of the template of a member's text, which escapes all of it.
struct ForumMarkup {
    /// The topic whose comments numbers lead to; `nil` if numbers are plain text.
    var topic: OpaqueID?
    /// The ID of the title into which times lead; `nil` if times are plain text.
    var title: String?

    func values(_ text: String) -> [[String: Any]] { MarkupText(text).blocks.map(values) }

    /// Each kind is there in each block, because a template looks for a missing one in what is around it.
    private func values(of block: MarkupBlock) -> [String: Any] {
        var values: [String: Any] = [
            "paragraph": false, "heading": false, "quote": false, "ordered": false, "unordered": false, "block": false,
        ]
        switch block {
        case .paragraph(let spans): values["paragraph"] = ["spans": spans.map(self.values)]
        case .heading(_, let spans): values["heading"] = ["spans": spans.map(self.values)]
        case .quote(let blocks, let place, let author):
            var quote: [String: Any] = ["blocks": blocks.map(self.values), "source": false]
            if let place {
                let name = ["#\(place)", author.map { SitePage.displayed($0) }].compactMap(\.self)
                    .joined(separator: " ")
                quote["source"] = ["path": topic.map { ForumPath.place(place, of: $0) } ?? "", "name": name]
            }
            values["quote"] = quote
        case .list(let items, let isOrdered):
            values[isOrdered ? "ordered" : "unordered"] = ["items": items.map { ["spans": $0.map(self.values)] }]
        case .code(let text): values["block"] = ["code": text]
        }
        return values
    }

    private func values(of span: MarkupSpan) -> [String: Any] {
        var values: [String: Any] = [
            "plain": false, "strong": false, "emphasis": false, "code": false, "link": false, "inside": false,
            "break": false,
        ]
        switch span {
        case .plain(let text): values["plain"] = ["text": text]
        case .strong(let text): values["strong"] = ["text": text]
        case .emphasis(let text): values["emphasis"] = ["text": text]
        case .code(let text): values["code"] = ["text": text]
        case .link(let text, let address): values["link"] = ["text": text, "address": address]
        case .time(let text, let seconds):
            if let title {
                let address = "/videoclub/titulos/\(PathEncoding.component(title))#t=\(seconds)"
                values["inside"] = ["text": text, "address": address]
            } else {
                values["plain"] = ["text": text]
            }
        case .comment(let place):
            if let topic {
                values["inside"] = ["text": "#\(place)", "address": ForumPath.place(place, of: topic)]
            } else {
                values["plain"] = ["text": "#\(place)"]
            }
        case .lineBreak: values["break"] = true
        }
        return values
    }
}
