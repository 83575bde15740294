import{a as e,n as t,r as n,t as r}from"./client-libraries-df66e8dc.js";import{I as i,J as a,L as o,M as s,a as c,k as l,p as u,s as d,v as f,z as p}from"./client-PageHead-a64df997.js";var m=e();n();var h={argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`LiveCard_session`,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`title`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`state`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`scheduledAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`startedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`replayUrl`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`host`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null}],storageKey:null}],type:`LiveSession`,abstractKey:null};h.hash=`b80489ac9abae404bcee6f4de2b1a546`;var g=t(),_=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{kind:`Variable`,name:`input`,variableName:`input`}],n={alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null},r={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`LiveControlsStartMutation`,selections:[{alias:null,args:t,concreteType:`LivePayload`,kind:`LinkedField`,name:`startLive`,plural:!1,selections:[{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`liveSession`,plural:!1,selections:[{args:null,kind:`FragmentSpread`,name:`LiveCard_session`}],storageKey:null},n],storageKey:null}],type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`LiveControlsStartMutation`,selections:[{alias:null,args:t,concreteType:`LivePayload`,kind:`LinkedField`,name:`startLive`,plural:!1,selections:[{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`liveSession`,plural:!1,selections:[r,{alias:null,args:null,kind:`ScalarField`,name:`title`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`state`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`scheduledAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`startedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`replayUrl`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`host`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},r],storageKey:null}],storageKey:null},n],storageKey:null}]},params:{cacheID:`cecd8d1615b3a3fa7f7a0d9ebab41fd2`,id:null,metadata:{},name:`LiveControlsStartMutation`,operationKind:`mutation`,text:`mutation LiveControlsStartMutation(
  $input: LiveIdInput!
) {
  startLive(input: $input) {
    liveSession {
      ...LiveCard_session
      id
    }
    userErrors {
      code
      message
    }
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
`}}})();_.hash=`069aaf4857aeaed084e73567c23a6c1f`;var v=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{kind:`Variable`,name:`input`,variableName:`input`}],n={alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null},r={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`LiveControlsEndMutation`,selections:[{alias:null,args:t,concreteType:`LivePayload`,kind:`LinkedField`,name:`endLive`,plural:!1,selections:[{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`liveSession`,plural:!1,selections:[{args:null,kind:`FragmentSpread`,name:`LiveCard_session`}],storageKey:null},n],storageKey:null}],type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`LiveControlsEndMutation`,selections:[{alias:null,args:t,concreteType:`LivePayload`,kind:`LinkedField`,name:`endLive`,plural:!1,selections:[{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`liveSession`,plural:!1,selections:[r,{alias:null,args:null,kind:`ScalarField`,name:`title`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`state`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`scheduledAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`startedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`replayUrl`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`host`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},r],storageKey:null}],storageKey:null},n],storageKey:null}]},params:{cacheID:`4bb5472ef0892ce6c50def50f6b9fd6e`,id:null,metadata:{},name:`LiveControlsEndMutation`,operationKind:`mutation`,text:`mutation LiveControlsEndMutation(
  $input: EndLiveInput!
) {
  endLive(input: $input) {
    liveSession {
      ...LiveCard_session
      id
    }
    userErrors {
      code
      message
    }
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
`}}})();v.hash=`00e11f419e1806f91740e7cdb09e8b32`;var y=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:null,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`LivePayload`,kind:`LinkedField`,name:`cancelLive`,plural:!1,selections:[{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`LiveControlsCancelMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`LiveControlsCancelMutation`,selections:t},params:{cacheID:`1f7cd3f110d59e9a6fbd94ae4e554aba`,id:null,metadata:{},name:`LiveControlsCancelMutation`,operationKind:`mutation`,text:`mutation LiveControlsCancelMutation(
  $input: LiveIdInput!
) {
  cancelLive(input: $input) {
    userErrors {
      code
      message
    }
  }
}
`}}})();y.hash=`a8ddfbef1a61160d33cee121a1b1c922`;var b=r();function x({id:e,title:t,state:n}){let r=u(),i={input:{liveSessionId:e}};return(0,b.jsxs)(`div`,{className:`live-controls`,role:`group`,"aria-label":`Your session ${t}`,children:[n===`UPCOMING`&&(0,b.jsx)(`button`,{type:`button`,className:`button button-small button-primary`,onClick:()=>void r({mutation:_,variables:i},`Not begun`),children:`Go live`}),n===`UPCOMING`&&(0,b.jsx)(`button`,{type:`button`,className:`button button-small`,onClick:()=>void r({mutation:y,variables:i,updater:t=>t.delete(e)},`Not called off`),children:`Call off`}),n===`LIVE`&&(0,b.jsx)(`button`,{type:`button`,className:`button button-small button-danger`,onClick:()=>void r({mutation:v,variables:i},`Not ended`),children:`End`})]})}var S={LIVE:`Live`,UPCOMING:`Upcoming`,REPLAY:`Replay`};function C({session:e}){let t=(0,g.useFragment)(h,e),{session:n}=l(),r=n.user?.id===t.host.databaseId;return(0,b.jsxs)(`li`,{className:`live live-${t.state.toLowerCase()}`,"aria-labelledby":`${t.id}-title`,children:[(0,b.jsx)(f,{user:t.host}),(0,b.jsxs)(`div`,{className:`live-words`,children:[(0,b.jsx)(`p`,{className:`live-title`,dir:`auto`,id:`${t.id}-title`,children:t.title}),(0,b.jsx)(`p`,{className:`live-host`,children:(0,b.jsxs)(d,{href:c(t.host.handle),className:`quiet-link`,children:[(0,b.jsx)(`bdi`,{children:t.host.name}),` @`,t.host.handle]})}),(0,b.jsxs)(`p`,{className:`live-times`,children:[(0,b.jsx)(`span`,{className:`badge`,children:S[t.state]}),(0,b.jsx)(w,{...t}),t.replayUrl&&(0,b.jsxs)(`a`,{href:t.replayUrl,target:`_blank`,rel:`noreferrer nofollow`,className:`live-again`,children:[(0,b.jsx)(a,{name:`play`}),` Watch again`]})]})]}),r&&(0,b.jsx)(x,{id:t.id,title:t.title,state:t.state})]})}function w(e){let t=i(e.state===`REPLAY`?`minute`:`second`),n=e.state===`UPCOMING`?e.scheduledAt:e.state===`LIVE`?e.startedAt:e.endedAt;return(0,b.jsx)(`time`,{className:`live-clock`,...n&&{dateTime:n,title:p(n)},children:o(e,t)})}var T=[[`LIVE`,`On air`],[`UPCOMING`,`Coming up`],[`REPLAY`,`Over`]];function E({edges:e,pages:t,empty:n}){let[r,i]=(0,m.useState)(null),a=e.filter(e=>e.node!=null);return!a.length&&!t.hasNext?n:(0,b.jsxs)(b.Fragment,{children:[T.map(([e,t])=>{let n=a.filter(t=>t.state===e);return n.length?(0,b.jsxs)(`section`,{className:`live-group`,"aria-labelledby":`live-${e}`,children:[(0,b.jsx)(`h2`,{id:`live-${e}`,children:t}),(0,b.jsx)(`ul`,{className:`live-list`,children:n.map(({node:e})=>(0,b.jsx)(C,{session:e},e.id))})]},e):null}),(0,b.jsx)(s,{loading:t.isLoadingNext,failure:r,hasMore:t.hasNext,retry:()=>{i(null),t.loadNext(20,{onComplete:i})},end:``})]})}export{E as t};