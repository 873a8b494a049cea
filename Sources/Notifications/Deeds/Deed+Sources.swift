import Accounts
import Community

extension Deed {
    init(_ deed: CommunityDeed) {
        switch deed {
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
