import{a as e,n as t,r as n}from"./client-libraries-df66e8dc.js";import{j as r}from"./client-Link-7ee8c216.js";import{D as i,O as a,k as o}from"./client-c68e4aa4.js";var s=n(),c=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`since`}],t=[{kind:`Variable`,name:`since`,variableName:`since`}],n={alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},r={alias:null,args:null,kind:`ScalarField`,name:`liveSessionId`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`state`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`syncToken`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`changesLiveSubscription`,selections:[{alias:null,args:t,concreteType:`LiveChangePage`,kind:`LinkedField`,name:`liveChanges`,plural:!1,selections:[{alias:null,args:null,concreteType:`LiveChange`,kind:`LinkedField`,name:`changes`,plural:!0,selections:[n,r,{alias:null,args:null,concreteType:`LiveEdge`,kind:`LinkedField`,name:`edge`,plural:!1,selections:[i,a,{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`node`,plural:!1,selections:[o,{args:null,kind:`FragmentSpread`,name:`LiveCard_session`}],storageKey:null}],storageKey:null}],storageKey:null},s],storageKey:null}],type:`Subscription`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`changesLiveSubscription`,selections:[{alias:null,args:t,concreteType:`LiveChangePage`,kind:`LinkedField`,name:`liveChanges`,plural:!1,selections:[{alias:null,args:null,concreteType:`LiveChange`,kind:`LinkedField`,name:`changes`,plural:!0,selections:[n,r,{alias:null,args:null,concreteType:`LiveEdge`,kind:`LinkedField`,name:`edge`,plural:!1,selections:[i,a,{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`node`,plural:!1,selections:[o,{alias:null,args:null,kind:`ScalarField`,name:`title`,storageKey:null},a,{alias:null,args:null,kind:`ScalarField`,name:`scheduledAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`startedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`replayUrl`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`host`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},o],storageKey:null}],storageKey:null}],storageKey:null}],storageKey:null},s],storageKey:null}]},params:{cacheID:`6be9c09fc23bcd9a2808c43c25da8a91`,id:null,metadata:{},name:`changesLiveSubscription`,operationKind:`subscription`,text:`subscription changesLiveSubscription(
  $since: String!
) {
  liveChanges(since: $since) {
    changes {
      kind
      liveSessionId
      edge {
        cursor
        state
        node {
          id
          ...LiveCard_session
        }
      }
    }
    syncToken
  }
}

fragment LiveCard_session on LiveSession {
  id
  title
  state
  scheduledAt
  startedAt
  endedAt
  replayUrl
  host {
    databaseId
    handle
    name
    id
  }
}
`}}})(),l=e(),u=t();function d(e,t,n){let i=(0,u.useRelayEnvironment)(),a=r(),s=(0,l.useRef)(n);(0,l.useEffect)(()=>{s.current=n});let d=(0,l.useRef)(null);(0,l.useEffect)(()=>{if(e!==null)return d.current=new o(i,a,{subscription:c,begin:()=>Promise.resolve(e),apply:({liveChanges:{changes:e,syncToken:t}})=>(s.current(e),t)}),d.current.start()},[i,a,e]),(0,l.useEffect)(()=>{if(!t)return;let e=d.current?.since??null;return()=>{e!==null&&e!==d.current?.since&&d.current?.goOn(e)}},[t])}function f(e,t){(0,s.commitLocalUpdate)(e,e=>{let n=m(e);if(n){for(let{cursor:r,state:i,node:a}of t){let t=e.get(a.id);if(!t)continue;s.ConnectionHandler.deleteNode(n,a.id);let o=s.ConnectionHandler.createEdge(e,n,t,`LiveEdge`);o.setValue(r,`cursor`),o.setValue(i,`state`),s.ConnectionHandler.insertEdgeAfter(n,o)}n.setValue(new Date().toISOString(),`snapshotAt`)}})}function p(e,t){(0,s.commitLocalUpdate)(e,e=>{let n=m(e);if(n)for(let e of t)s.ConnectionHandler.deleteNode(n,e)})}function m(e){let t=e.getRoot().getLinkedRecord(`viewer`);return t&&s.ConnectionHandler.getConnection(t,`LivePage_liveFeed`)}var h=``;function g(e,t){let[n,r]=[v(e),v(t)],i=a(r.at,n.at);return a(n.state,r.state)||(n.state===h?-i:i)||a(r.id,n.id)}function _(e,t,n){let r=e.length<t?void 0:e.at(-1);return n.some(({kind:t,liveSessionId:n,edge:i})=>t===`RESET`||e.some(({node:e})=>e.id===n)||i!=null&&(!r||g(i,r)<0))}function v({cursor:e}){let t=i(e);return{state:t.slice(2,3),at:t.slice(35,43),id:t.slice(43,51)}}export{d as a,p as i,g as n,f as r,_ as t};