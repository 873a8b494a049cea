/// A check of `antena doctor`: facts about the machine, and what follows from them.
///
/// A check is a value that holds its facts, so that its judgement can be tested with any facts. A static function of
/// each check gathers them; it may block, and changes nothing.
protocol DoctorCheck: Sendable {
    /// The name in the output, such as "open files".
    var name: String { get }
    /// The judgement of the facts.
    var finding: DoctorFinding { get }
}
