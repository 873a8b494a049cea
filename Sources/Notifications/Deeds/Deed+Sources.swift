import Accounts
import Community
import Forum

extension Deed {
    /// The deeds that follow from an event of the community.
    static func all(of deed: CommunityDeed) -> [Deed] {
        switch deed {
        case .reported(let kind, let subject, let video, let owner):
            // Not the reporter's: owners are told that something was reported, and never by whom.
            var deeds = [
                Deed(
                    kind: .reportWaiting, identity: "\(OpaqueID())", video: video, subject: subject.text,
                    detail: kind.rawValue)
            ]
            if let owner {
                deeds.append(
                    Deed(
                        kind: .report, identity: "\(OpaqueID())", receiver: owner, video: video,
                        comment: kind == .comment ? subject : nil, subject: subject.text, detail: kind.rawValue))
            }
            return deeds
        case .removed(let video, let upload):
            // One for each, because each is found by another index.
            return [video.map { ($0, true) }, upload.map { ($0, false) }].compactMap(\.self).map { id, isVideo in
                Deed(
                    kind: .removal, identity: id.text, video: isVideo ? id : nil, subject: isVideo ? nil : id.text)
            }
        default: return Deed(deed).map { [$0] } ?? []
        }
    }

    /// The deed that follows from an event of the forum; `nil` for one of which nobody is notified.
    init?(_ deed: ForumDeed) {
        switch deed {
        case .began(let topic, let author, true):
            self.init(kind: .topic, identity: topic.text, actor: author, subject: topic.text)
        case .commented(let comment, let topic, let author, true):
            self.init(
                kind: .topicComment, identity: comment.text, actor: author, comment: comment, subject: topic.text)
        case .began, .commented, .changed, .removed: return nil
        }
    }

    /// A message for the operators.
    init(supportMessage id: OpaqueID) { self.init(kind: .supportMessage, identity: id.text) }

    private init?(_ deed: CommunityDeed) {
        switch deed {
        case .reported, .removed: return nil
        case .published(let video, let owner):
            self.init(kind: .video, identity: video.text, actor: owner, video: video)
        case .liked(let video, let member):
            self.init(kind: .like, identity: "\(video)/\(member)", actor: member, video: video)
        case .commented(let comment, let video, let author):
            self.init(kind: .comment, identity: comment.text, actor: author, video: video, comment: comment)
        case .followed(let member, let follower):
            self.init(kind: .follow, identity: "\(member)/\(follower)", actor: follower, receiver: member)
        case .decided(let decision, let kind, let subject, let owner):
            // Each decision about the same item is another one.
            self.init(
                kind: .decision, identity: "\(OpaqueID())", receiver: owner, video: kind == .video ? subject : nil,
                comment: kind == .comment ? subject : nil, subject: subject.text, detail: decision.rawValue)
        case .prepared(let upload, let name, let owner, let plays):
            self.init(
                kind: plays ? .uploadReady : .uploadFailed, identity: upload.text, receiver: owner,
                subject: upload.text, detail: name)
        }
    }

    init(_ rental: EndingRental) {
        self.init(
            kind: .rentalEnding, identity: rental.id.text, receiver: rental.renter, subject: rental.title,
            detail: rental.name)
    }
}
