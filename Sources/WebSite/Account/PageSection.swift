/// A part of an account page: text, a list, and forms.
struct PageSection {
    /// A line of a list, such as a session.
    struct Item {
        var text: String
        var detail: PageText = ""
        /// Further lines, below the first.
        var notes: [String] = []
        /// A command for a terminal; `nil` without one.
        var command: String?
        var forms: [PageForm] = []
        /// Links after the line.
        var links: [(path: String, text: String)] = []
        /// The path to which the text leads; `nil` if it is not a link.
        var path: String?
        /// The member that the line is about, whose photo or initial stands beside it; `nil` for another line.
        var member: (name: String, photo: String?)?
    }

    /// The time that is left until an end; the script counts it down.
    struct Countdown {
        var label: String
        /// The end, as in RFC 3339.
        var end: String
        /// The time that was left when the page was made.
        var text: String
    }

    /// A link that somebody may send to others.
    struct Share {
        var address: String
        var name: String
        var text: String
        /// The script's message when the address is in the clipboard.
        var copied: String
    }

    /// The part of a page with which a script sends a video.
    struct Sender {
        var text: UploadText
        /// The token of the visitor's session.
        var token: String

        fileprivate var values: [String: Any] { ["u": text, "csrf": token, "page": "\(VideoPath.upload)/"] }
    }

    /// Work that the server is still doing. The script asks for it, shows how far it is, and loads the page again, with
    /// what was typed, when its state is another one.
    struct Progress {
        /// The address of its JSON, which has `state` and `progress`.
        var address: String
        var state: String
        var text: String
    }

    /// A title that plays in the page.
    struct Player {
        var playlist: String
        var poster: String?
        var label: String

        fileprivate var values: [String: Any] {
            var values = ["playlist": playlist, "label": label]
            values["poster"] = poster
            return values
        }
    }

    var heading: String?
    var text: String?
    var sender: Sender?
    var player: Player?
    var progress: Progress?
    var countdown: Countdown?
    /// The text of a search in the list, and the label of the field; `nil` for a section without search.
    var search: (query: String, label: String, button: String)?
    /// An image with its description.
    var image: (path: String, alt: String)?
    /// A QR code as an SVG element.
    var code: String?
    /// A secret that is shown once.
    var secret: String?
    var items: [Item] = []
    var forms: [PageForm] = []
    /// Links below the forms.
    var links: [(path: String, text: String)] = []
    /// The link that leads to what the section is for.
    var button: (path: String, text: String)?
    /// The reason why this is unavailable, in place of the link.
    var unavailable: String?
    var share: Share?

    func values(csrf: String?) -> [String: Any] {
        var values: [String: Any] = ["forms": forms.map { $0.values(csrf: csrf) }]
        if let heading { values["heading"] = heading }
        if let text { values["text"] = SitePage.displayed(text) }
        if let search {
            values["search"] = [
                "query": SitePage.displayed(search.query), "label": search.label, "button": search.button,
            ]
        }
        if let sender { values["sender"] = sender.values }
        if let player { values["player"] = player.values }
        if let progress {
            values["progress"] = [
                "address": progress.address, "state": progress.state, "text": SitePage.displayed(progress.text),
            ]
        }
        if let image { values["image"] = ["path": image.path, "alt": image.alt] }
        if let code { values["code"] = ["svg": code] }
        if let secret { values["secret"] = secret }
        if !items.isEmpty {
            values["list"] = [
                "items": items.map { item in
                    var values: [String: Any] = [
                        "text": SitePage.displayed(item.text), "detail": item.detail.values,
                        "forms": item.forms.map { $0.values(csrf: csrf) },
                        "links": item.links.map { ["path": $0.path, "text": $0.text] },
                        "notes": item.notes.map { ["note": SitePage.displayed($0)] },
                    ]
                    if let path = item.path { values["line"] = ["path": path] }
                    if let (name, photo) = item.member { values["avatar"] = SitePage.avatar(name, photo: photo) }
                    if let command = item.command { values["command"] = SitePage.displayed(command) }
                    return values
                }
            ]
        }
        if let countdown {
            values["countdown"] = ["label": countdown.label, "end": countdown.end, "text": countdown.text]
        }
        if let button { values["primary"] = ["path": button.path, "text": button.text] }
        if let unavailable { values["unavailable"] = unavailable }
        if let share {
            values["share"] = [
                "address": share.address, "name": SitePage.displayed(share.name), "text": share.text,
                "copied": share.copied,
            ]
        }
        if !links.isEmpty {
            values["more"] = ["links": links.map { ["path": $0.path, "text": $0.text] }]
        }
        return values
    }
}
