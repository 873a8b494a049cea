import Accounts
import Database
import Forum

extension FanOut {
    /// Everybody who may read the topic and has not switched its category off.
    func topicBatch(_ waiting: WaitingDeed, _ db: any SQLConnection) throws -> Batch? {
        guard let topic = waiting.deed.subject.flatMap({ OpaqueID(parsing: $0) }),
            let subject = try ForumDeedSubject.topic(topic, db), subject.isShown
        else { return try withhold(waiting, db) }
        let resource = try resource(of: subject, db)
        let list = AudienceList(actor: waiting.deed.actor)
        let receivers = try list.everybody(after: waiting.reached, limit: batchSize, db)
        let silenced = try ForumAudience.silenced(subject.category, among: receivers.map(\.member.id), db)
        return batch(receivers, of: waiting) { receiver in
            guard !silenced.contains(receiver.member.id), resource.map({ isAllowed(receiver, $0) }) ?? true else {
                return nil
            }
            return (.newTopic, "")
        }
    }

    /// The members who talk in the topic, and those who follow it, its category or the forum.
    func topicCommentBatch(_ waiting: WaitingDeed, _ db: any SQLConnection) throws -> Batch? {
        guard let comment = waiting.deed.comment, let subject = try ForumDeedSubject.comment(comment, db),
            subject.isShown
        else { return try withhold(waiting, db) }
        let resource = try resource(of: subject, db)
        let list = AudienceList(actor: waiting.deed.actor)
        let (receivers, followers) = try list.commentReaders(of: subject, after: waiting.reached, limit: batchSize, db)
        return batch(receivers, of: waiting) { receiver in
            guard resource.map({ isAllowed(receiver, $0) }) ?? true else { return nil }
            return (followers.contains(receiver.member.id) ? .followedTopic : .topicReply, subject.topic.text)
        }
    }

    /// The channel or title that a topic is about; `nil` for a topic that everybody may read.
    private func resource(of subject: ForumDeedSubject, _ db: any SQLConnection) throws -> Resource? {
        switch subject.kind {
        case .general: nil
        case .channel: accounts.audiences.channel(subject.subject)
        case .title: try accounts.title(id: subject.subject, db)
        }
    }
}
