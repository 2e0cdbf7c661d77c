//! Echo. 
fn main(){}
