import Accounts
import HTTPEndpoints
import MediaCore

extension FormFields {
    static let suspensionDaysName = "days"
    /// The longest time of a suspension with an end.
    private static let maximumSuspensionDays = Int(AccountChange.allowedSuspensionTimes.upperBound.seconds) / 86_400

    /// The time of the suspension that a form asks for; `nil` for one without end.
    ///
    /// - Throws: `Refusal` with `invalidField`.
    func suspensionTime() throws(Refusal) -> Duration? {
        let text = (self[Self.suspensionDaysName] ?? "").filter { $0 != " " }
        guard !text.isEmpty else { return nil }
        guard let days = Int(text), (1...Self.maximumSuspensionDays).contains(days) else {
            throw Refusal(
                .invalidField, "the number of days must be from 1 to \(Self.maximumSuspensionDays)",
                fields: [Self.suspensionDaysName])
        }
        return .seconds(days * 86_400)
    }
}
